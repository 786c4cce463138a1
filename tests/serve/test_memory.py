"""What is not needed any more goes back to the system."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from heedful.serve import memory
from heedful.serve.memory import QUIET, Tide

from ..trained import sentences
from .http.test_connection import memory as resident
from .served import running
from .test_guarded import soon

LINES = [" ".join(source for source, _ in sentences()[n : n + 7]) for n in range(200)]


def test_only_when_nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []
    monkeypatch.setattr(memory, "give_back", lambda: given.append(1))
    tide = Tide()
    for _ in range(2 * QUIET):
        tide.look(0, 0)  # there was nothing
    for requests in range(1, 2 * QUIET):
        tide.look(requests, 0)
    for _ in range(2 * QUIET):
        tide.look(2 * QUIET, 1)  # it takes its time
    assert not given
    for _ in range(3 * QUIET):
        tide.look(2 * QUIET, 0)
    assert given == [1]


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="machine: others cannot")
def test_after_large_requests(prose_run: Path) -> None:
    with running(prose_run, "--rate", 0) as server:
        server.translate(LINES[0])
        before = resident(server)
        for _ in range(3):
            server.translate(LINES)
        most = resident(server)
        wanted = before + (most - before) // 2
        assert soon(True, lambda: resident(server) < wanted, seconds=30)

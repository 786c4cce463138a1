"""Too many at once, of all or of one address."""

from __future__ import annotations

import socket
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from ...waiting import wait_until
from ..served import running
from .test_connection import GET, answered, connected, heard

PATIENT = """
from heedful.serve.http.connection import Connection
Connection.look = lambda self, now: None
"""
"""For `running(first=...)`: no connection is closed because it has been silent for too long."""


def test_a_limit_of_connections(prose_run: Path) -> None:
    with running(prose_run, "--connections", 5, first=PATIENT) as server, ExitStack() as silent:
        known = silent.enter_context(connected(server, GET))
        assert answered(known).startswith(b"HTTP/1.1 200 ")
        for _ in range(4):
            silent.enter_context(connected(server))
        late = silent.enter_context(connected(server))
        late.sendall(GET)
        assert answered(late).startswith(b"HTTP/1.1 503 ")
        known.sendall(GET)
        assert answered(known).startswith(b"HTTP/1.1 200 ")  # who was there before is answered
        late = silent.enter_context(connected(server))
        reply = server.ask("/health")
        assert reply.status == 503
        assert set(reply.data) == {"error"}
        assert int(reply.headers["retry-after"]) >= 1
        crowd = [silent.enter_context(connected(server)) for _ in range(120)]
        assert heard(crowd[-1]) == b""  # far too many are not told anything
        silent.close()
        wait_until(lambda: server.ask("/health").status == 200)


@pytest.mark.skipif(sys.platform != "linux", reason="machine: it has but one address of its own")
@pytest.mark.parametrize(("words", "status"), [((), 429), (("--behind-proxy",), 200)])
def test_a_limit_of_connections_of_one_address(
    prose_run: Path, words: tuple[str, ...], status: int
) -> None:
    limit = ("--connections", 50, "--connections-per-address", 5)
    with running(prose_run, *limit, *words, first=PATIENT) as server, ExitStack() as silent:
        for _ in range(5):
            silent.enter_context(connected(server))
        reply = server.ask("/health")
        assert reply.status == status
        if status == 429:
            assert "from one address: 5 at most" in reply.data["error"]
            assert int(reply.headers["retry-after"]) >= 1
            assert reply.headers["access-control-expose-headers"] == "Retry-After"
            crowd = [silent.enter_context(connected(server)) for _ in range(11)]
            assert heard(crowd[-1]) == b""  # far too many are not told anything
        with socket.socket() as other:
            other.bind(("127.0.0.2", 0))
            other.connect(("127.0.0.1", server.port))
            other.sendall(GET)
            assert answered(other).startswith(b"HTTP/1.1 200 ")  # there is room for others
        silent.close()
        wait_until(lambda: server.ask("/health").status == 200)

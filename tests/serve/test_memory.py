"""What is not needed any more goes back to the system."""

from __future__ import annotations

import ctypes
import platform
import weakref
from pathlib import Path

import pytest

from heedful.serve.memory import LATEST, QUIET, Tide, give_back

from ..trained import sentences
from ..waiting import wait_until
from .served import running

TOLD = """
import sys
import heedful.serve.running as running
running.give_back = lambda: print("given back", file=sys.stderr, flush=True)
"""


glibc = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="machine: others cannot")


def test_when_nobody_asks_and_now_and_then() -> None:
    tide = Tide()
    assert not any(tide.turns(0, 0) for _ in range(2 * LATEST))  # there was nothing
    tide = Tide()
    assert not any(tide.turns(n, 0) for n in range(1, LATEST))
    assert tide.turns(LATEST, 1)
    assert [tide.turns(LATEST + 1, 0) for _ in range(2 * QUIET)].index(True) == QUIET
    assert not any(tide.turns(LATEST + 1, 0) for _ in range(2 * LATEST))
    # Who comes after a long silence is no flood; nor is what goes on behind one.
    assert not any(tide.turns(LATEST + 1 + n, 1) for n in range(1, LATEST))
    assert tide.turns(3 * LATEST, 1)
    assert not any(tide.turns(3 * LATEST + n, 1) for n in range(1, LATEST))


@glibc
def test_it_can_be_given_back() -> None:
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    blocks = [libc.malloc(60_000) for _ in range(500)]
    for block in blocks[:-1]:  # the last holds those before it where they are
        libc.free(block)
    assert give_back()
    libc.free(blocks[-1])


def test_garbage_goes_too() -> None:
    """Python looks for it less often than it would by itself."""

    class Ring:
        def __init__(self) -> None:
            self.own = self

    gone = weakref.ref(Ring())
    assert gone() is not None
    give_back()
    assert gone() is None


def test_after_requests_it_is(prose_run: Path) -> None:
    with running(prose_run, "--rate", 0, first=TOLD) as server:
        server.translate(sentences()[0][0])
        wait_until(lambda: "given back" in "".join(server.log))

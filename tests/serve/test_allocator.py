"""The C library keeps memory as a server needs it."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from heedful.serve.allocator import settled

from ..trained import sentences
from .served import running

OURS = (
    "glibc.malloc.tcache_count=0:glibc.malloc.mmap_threshold=33554432"
    ":glibc.malloc.trim_threshold=16777216"
)
glibc = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="machine: another C library")

KEPT = """
import ctypes, sys
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
libc.malloc.argtypes = [ctypes.c_size_t]
sizes = [size for small in range(16, 1032, 16) for size in (100_000, small)]
blocks = [libc.malloc(size) for size in [*sizes, *sizes, 100_000]]
middle = sorted(blocks)[len(blocks) // 2]
for block in blocks:
    libc.free(block)
print(libc.malloc(10_000_000) < middle)
"""
"""Whether a large block fits where large and small ones lay in turns."""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, OURS),
        ({"GLIBC_TUNABLES": "glibc.cpu.x86_shstk=off"}, f"glibc.cpu.x86_shstk=off:{OURS}"),
        # Somebody knows better, or it is said already.
        ({"GLIBC_TUNABLES": "glibc.malloc.arena_max=1"}, None),
        ({"GLIBC_TUNABLES": OURS}, None),
    ],
)
def test_what_others_have_said_stays(before: dict[str, str], after: str | None) -> None:
    anew = settled({"LANG": "C", **before})
    if after is None:
        assert anew is None
    else:
        assert anew == {"LANG": "C", "GLIBC_TUNABLES": after, "HEEDFUL_BEGAN_ANEW": "1"}
        assert settled({**anew, "GLIBC_TUNABLES": ""}) is None  # not for ever


@glibc
def test_a_server_begins_anew_and_is_the_same_process(prose_run: Path) -> None:
    with running(prose_run, "--rate", 0) as server:
        told = Path(f"/proc/{server.process.pid}/environ").read_text()
        assert f"GLIBC_TUNABLES={OURS}" in told.replace("\0", ":")  # glibc may have parted it
        assert server.translate(sentences()[0][0])


def test_other_commands_do_not() -> None:
    program = "import heedful.serve.allocator as a; a.settle = None\n" + (
        "from heedful.__main__ import main\nmain()"
    )
    command = [sys.executable, "-c", program, "info", "--help"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


@glibc
def test_freed_memory_lies_in_one_piece() -> None:
    """As it comes it does not: that is what the settings are for."""
    anew = settled({})
    assert anew is not None
    found = [
        subprocess.run(
            [sys.executable, "-c", KEPT], env=env, capture_output=True, text=True, check=True
        ).stdout.strip()
        for env in ({"GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=33554432"}, anew)
    ]
    assert found == ["False", "True"]

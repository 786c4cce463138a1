"""How the C library of a server keeps memory, which must be said before a process begins.

As it comes, glibc lets each thread keep small blocks that it has freed. They lie all over the
buffers of one batch, so that none of these can be given back or joined for the next: a server
takes more and more, up to a third, the longer it is asked. Without them, what a batch needed lies
in one piece, and is there for the next; what is more than that goes back to the system. (What is
free between them, and in the server's own heap, `memory.py` gives back now and then.)
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping

_NAME = "GLIBC_TUNABLES"
_DONE = "HEEDFUL_BEGAN_ANEW"
"""Tells that it was tried: some systems take the settings away from the processes they start."""
_MIB = 2**20
SETTINGS = {
    "glibc.malloc.tcache_count": 0,  # blocks of each size that a thread keeps
    "glibc.malloc.mmap_threshold": 32 * _MIB,  # what a batch needs comes from one heap, all of it
    "glibc.malloc.trim_threshold": 16 * _MIB,  # of a heap that may be kept for the next batch
}


def settle() -> None:
    """Begins this process anew, with these settings, where they are not made yet: by us, or by
    somebody who has chosen others."""
    if (anew := settled(os.environ)) is not None and _is_glibc() and sys.executable:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # until there is somebody to hear it
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], anew)


def settled(now: Mapping[str, str]) -> dict[str, str] | None:
    """An environment with the settings; None if there are some."""
    others = now.get(_NAME, "")
    if "glibc.malloc." in others or _DONE in now:
        return None
    ours = ":".join(f"{name}={value}" for name, value in SETTINGS.items())
    return {**now, _NAME: f"{others}:{ours}".lstrip(":"), _DONE: "1"}


def _is_glibc() -> bool:
    try:
        return bool(os.confstr("CS_GNU_LIBC_VERSION"))
    except (AttributeError, ValueError, OSError):
        return False

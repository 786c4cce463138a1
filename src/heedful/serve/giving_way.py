"""Threads that give way: whoever takes and answers requests goes before whoever searches."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

NICENESS = 5  # above ours; torch's process has more: it comes last
T = TypeVar("T")


def giving_way(make: Callable[[], T]) -> T:
    """What is made, whose threads give way to all others. They have it from the thread that makes
    them: it is one of its own, for ours could not take it back."""
    with ThreadPoolExecutor(1, initializer=_give_way) as maker:
        return maker.submit(make).result()


def _give_way() -> None:
    if sys.platform == "linux":  # elsewhere it would hold for the whole process
        me = threading.get_native_id()
        own = os.getpriority(os.PRIO_PROCESS, me)
        os.setpriority(os.PRIO_PROCESS, me, own + NICENESS)

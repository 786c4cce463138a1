"""Memory that was needed for a moment goes back to the system."""

from __future__ import annotations

import ctypes
import gc
import sys
from functools import cache
from typing import Any

QUIET, LATEST = 5, 30  # looks until memory is given back: without a request, and with some


class Tide:
    """After a flood of requests there is garbage that Python has not looked for yet, and the C
    library keeps what they needed for the next. When nobody asks for a while, or after a longer
    while anyway, it goes back to the system."""

    def __init__(self) -> None:
        self._seen = self._given_back_at = 0
        self._quiet = self._looks = 0

    def turns(self, requests: int, under_way: int) -> bool:
        """Whether it is time. Asked now and then: how many requests there were, and how many are
        not answered yet."""
        self._looks = self._looks + 1 if requests != self._given_back_at else 0
        is_quiet = requests == self._seen and not under_way
        self._quiet = self._quiet + 1 if is_quiet else 0
        self._seen = requests
        is_due = self._quiet >= QUIET or self._looks >= LATEST
        if is_due and requests != self._given_back_at:
            self._given_back_at, self._looks = requests, 0
            return True
        return False


def give_back() -> bool:
    """Looks for garbage, and gives back what is free: whether there was any. Only glibc can."""
    gc.collect()
    return hasattr(libc := _libc(), "malloc_trim") and bool(libc.malloc_trim(0))


@cache
def _libc() -> Any:
    return ctypes.CDLL(None) if sys.platform == "linux" else None

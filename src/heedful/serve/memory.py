"""Memory that was needed for a moment."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

QUIET = 5  # looks without a request until memory is given back


class Tide:
    """After a flood of requests the C library keeps what they needed for the next. When there is
    none for a while, it goes back to the system."""

    def __init__(self) -> None:
        self._seen = self._given_back_at = 0
        self._quiet = 0

    def look(self, requests: int, under_way: int) -> None:
        """Now and then: how many requests there were, and how many are not answered yet."""
        is_quiet = requests == self._seen and not under_way
        self._quiet = self._quiet + 1 if is_quiet else 0
        self._seen = requests
        if self._quiet >= QUIET and requests != self._given_back_at:
            self._given_back_at = requests
            give_back()


def give_back() -> bool:
    """Whether there was any; only glibc can."""
    trim = _trim()
    return trim is not None and bool(trim(0))


@cache
def _trim() -> Any:
    if sys.platform != "linux":
        return None
    return getattr(ctypes.CDLL(None), "malloc_trim", None)

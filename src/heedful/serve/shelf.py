"""Translated files until they are fetched: in memory, for a while, as many as there is room for."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable

KEPT = 1200.0  # seconds


class Shelf:
    """By names that cannot be guessed."""

    def __init__(self, room: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._room = room
        self._clock = clock
        self._files: OrderedDict[str, tuple[float, bytes]] = OrderedDict()
        self._used = 0

    def put(self, content: bytes, ending: str) -> str:
        """Its name. The oldest make room."""
        self._clear(len(content))
        name = f"{secrets.token_urlsafe(16)}.{ending}"
        self._files[name] = (self._clock() + KEPT, content)
        self._used += len(content)
        return name

    def get(self, name: str) -> bytes | None:
        """What has this name, if it is still there."""
        self._clear(0)
        found = self._files.get(name)
        return None if found is None else found[1]

    def _clear(self, wanted: int) -> None:
        now = self._clock()
        while self._files:
            until, _ = next(iter(self._files.values()))
            if until > now and self._used + wanted <= self._room:
                return
            _, (_, content) = self._files.popitem(last=False)
            self._used -= len(content)

"""Lines as they come, in portions that are worth translating together."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator

LINE = 512
"""Characters of a line that counts as one; a longer one counts as several."""

PATIENCE, MOMENT = 0.05, 0.002
"""Seconds that a window of several lines, or of one, may wait for more: somebody may be waiting for
the answer to one line before the next is sent."""


def windows(lines: Iterator[str], most: int) -> Iterator[list[str]]:
    """Whatever has come in, up to `most` lines, fewer if they are long, as soon as there is any.

    A thread reads ahead. From a file that fills whole windows; from a pipe on which somebody
    types, or that never ends, a line is handed on when no more are waiting behind it.
    """
    waiting = _Waiting(maxsize=2 * most)

    def read() -> None:
        try:
            for line in lines:
                waiting.put(line)
            waiting.put(None)
        except BaseException as error:  # it belongs to whoever asked for the lines
            waiting.put(error)

    threading.Thread(target=read, daemon=True).start()
    item = waiting.get()
    while isinstance(item, str):
        window, size = [item], _size(item)
        # Some patience: a reader that is busy is not a pipe that has gone quiet.
        began = time.monotonic()
        while size < most:
            left = began + (PATIENCE if len(window) > 1 else MOMENT) - time.monotonic()
            try:
                item = waiting.get(timeout=max(0.0, left))
            except queue.Empty:
                item = ""
                break
            if not isinstance(item, str):
                break
            window.append(item)
            size += _size(item)
        yield window
        if isinstance(item, str):
            item = waiting.get()
    if isinstance(item, BaseException):
        raise item


class _Waiting(queue.Queue[str | BaseException | None]):
    """A queue that is full by the sizes of its lines, not by their number."""

    def _init(self, maxsize: int) -> None:
        super()._init(maxsize)
        self._held = 0

    def _qsize(self) -> int:
        return self._held

    def _put(self, item: str | BaseException | None) -> None:
        self._held += _size(item)
        super()._put(item)

    def _get(self) -> str | BaseException | None:
        item = super()._get()
        self._held -= _size(item)
        return item


def _size(item: str | BaseException | None) -> int:
    return 1 + len(item) // LINE if isinstance(item, str) else 1

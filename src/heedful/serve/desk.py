"""Where documents are read and put together: in threads of their own, so that the server goes on
meanwhile, and a few at a time, so that there is room for them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from heedful.serve.refused import busy, ending

PATIENCE = 10.0  # seconds until somebody who found no place shall ask again
T = TypeVar("T")


class Place:
    """One document's."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool
        self.last: Future[Any] | None = None

    async def do(self, work: Callable[[], T]) -> T:
        """In a thread; one thing after the other."""
        self.last = future = self._pool.submit(work)
        return await asyncio.wrap_future(future)


class Desk:
    """Has places for so many."""

    def __init__(self, most: int) -> None:
        self._free = threading.Semaphore(max(0, most))
        self._pool = ThreadPoolExecutor(max(1, most), thread_name_prefix="document")
        self._tasks: set[asyncio.Task[Any]] = set()  # of whom the places are
        self._is_closed = False

    @contextmanager
    def place(self) -> Iterator[Place]:
        """Refused if there is none. It is taken until its thread is done, even if nobody waits for
        that any more: who asks and leaves, again and again, must not fill the memory."""
        if self._is_closed:
            raise ending()
        if not self._free.acquire(blocking=False):
            raise busy(PATIENCE)
        place, task = Place(self._pool), asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            yield place
        finally:
            self._tasks.discard(task)
            if place.last is None:
                self._free.release()
            else:
                place.last.add_done_callback(lambda done: self._free.release())

    def close(self) -> int:
        """The server ends, and what it has translated could not be fetched any more: whoever has a
        place is cut, and nobody gets one. How many were."""
        self._is_closed = True
        cut, self._tasks = self._tasks, set()
        for task in cut:
            task.cancel()
        return len(cut)

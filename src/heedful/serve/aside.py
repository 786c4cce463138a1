"""What takes longer is done aside: the server goes on meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

SHORT = 4000  # characters: to cut more into tokens takes so long that others would notice
THREADS = ThreadPoolExecutor(2, thread_name_prefix="long")
"""More threads at a time would take Python from each other, and from all who want a short answer
meanwhile."""
T = TypeVar("T")


async def aside(length: int, work: Callable[[], T]) -> T:
    """In a thread, unless there is little to do."""
    if length <= SHORT:
        return work()
    return await asyncio.get_running_loop().run_in_executor(THREADS, work)

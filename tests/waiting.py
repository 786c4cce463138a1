"""Wait for a condition instead of a time, so that tests pass beside other load."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds after which a condition counts as never true. Only a failing test waits so long."""


def wait_until(condition: Callable[[], object], patience: float = PATIENCE) -> None:
    """Poll until the condition holds. Fail after `patience` seconds."""
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline, f"the condition did not hold within {patience:g} s"
        time.sleep(0.02)


async def wait_until_async(condition: Callable[[], object], patience: float = PATIENCE) -> None:
    """Do the same while the other tasks of the event loop run."""
    async with asyncio.timeout(patience):
        while not condition():
            await asyncio.sleep(0.001)

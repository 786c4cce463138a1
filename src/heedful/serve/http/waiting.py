"""Work that ends when its time is over, or when nobody waits for it any more."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

from starlette.requests import ClientDisconnect, Request

from heedful.serve.refused import busy

T = TypeVar("T")


async def while_waited_for(request: Request, work: Coroutine[None, None, T], seconds: float) -> T:
    """The outcome of the work. The request has been read by now: what comes next is its end."""
    working = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({working, gone}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        if gone.done():
            raise ClientDisconnect
        raise busy(1.0)
    finally:
        for task in (working, gone):
            task.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass

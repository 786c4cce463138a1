"""Work that ends when its time is over, or when nobody waits for it any more."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

from starlette.requests import ClientDisconnect, Request

from heedful.serve.refused import too_long

T = TypeVar("T")


async def while_waited_for(request: Request, work: Coroutine[None, None, T], seconds: float) -> T:
    """The outcome of the work. The request has been read by now: what comes next is its end."""
    me = asyncio.current_task()
    assert me is not None
    is_working = has_left = False

    def stop(gone: asyncio.Task[None]) -> None:
        nonlocal has_left
        if is_working and not gone.cancelled():
            has_left = me.cancel()

    gone = asyncio.ensure_future(_gone(request))
    gone.add_done_callback(stop)
    try:
        async with asyncio.timeout(seconds):
            is_working = True
            return await work
    except TimeoutError:
        raise too_long(seconds) from None
    except asyncio.CancelledError:
        if not has_left:
            raise
        me.uncancel()
        raise ClientDisconnect from None
    finally:
        is_working = False
        gone.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass

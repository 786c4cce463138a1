"""Work that ends when its time is over, or when nobody waits for it any more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TypeVar

from starlette.requests import ClientDisconnect, Request

from heedful.serve.refused import too_long

CLIENT = "heedful.client"
"""In a request's scope: who asks."""
T = TypeVar("T")


class Client:
    """Whether it is still there, and who wants to know."""

    def __init__(self) -> None:
        self.has_left = False
        self.watchers: set[Callable[[], None]] = set()

    def leave(self) -> None:
        """It has gone."""
        self.has_left = True
        for tell in list(self.watchers):
            tell()


async def while_waited_for(request: Request, work: Coroutine[None, None, T], seconds: float) -> T:
    """The outcome of the work. The request has been read by now. (To wait for the request's end,
    as a task beside the work, would cost each request more than all else that is done here.)"""
    client: Client = request.scope[CLIENT]
    if client.has_left:
        work.close()
        raise ClientDisconnect
    me = asyncio.current_task()
    assert me is not None
    why: Callable[[], Exception] | None = None

    def stop(reason: Callable[[], Exception]) -> None:
        nonlocal why
        if why is None and me.cancel():
            why = reason

    leave = partial(stop, ClientDisconnect)
    client.watchers.add(leave)
    timer = asyncio.get_running_loop().call_later(seconds, stop, partial(too_long, seconds))
    try:
        return await work
    except asyncio.CancelledError:
        if why is None:  # somebody else wants an end
            raise
        me.uncancel()
        raise why() from None
    finally:
        timer.cancel()
        client.watchers.discard(leave)

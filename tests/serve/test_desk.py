"""Places for documents."""

from __future__ import annotations

import asyncio
import threading

import pytest

from heedful.serve.desk import Desk
from heedful.serve.refused import Refused

from ..waiting import wait_until_async


def test_there_are_so_many_places() -> None:
    async def scene() -> None:
        desk = Desk(2)
        with desk.place(), desk.place():
            with pytest.raises(Refused) as refused, desk.place():
                pass
            assert refused.value.status == 503
            assert refused.value.retry_after
        with desk.place(), desk.place():
            pass

    asyncio.run(scene())


def test_without_places_none_is_given() -> None:
    with pytest.raises(Refused), Desk(0).place():
        pass


def test_work_is_done_in_a_thread_and_fails_as_itself() -> None:
    async def scene() -> None:
        with Desk(1).place() as place:
            assert await place.do(threading.get_ident) != threading.get_ident()
            with pytest.raises(ZeroDivisionError):
                await place.do(lambda: 1 // 0)

    asyncio.run(scene())


def has_place(desk: Desk) -> bool:
    try:
        with desk.place():
            return True
    except Refused:
        return False


def test_a_place_is_taken_until_its_thread_is_done() -> None:
    """Whoever has left meanwhile."""
    may_end = threading.Event()
    desk = Desk(1)

    async def scene() -> None:
        with pytest.raises(TimeoutError), desk.place() as place:
            async with asyncio.timeout(0.05):
                await place.do(may_end.wait)
        with pytest.raises(Refused), desk.place():
            pass
        may_end.set()
        await wait_until_async(lambda: has_place(desk))

    asyncio.run(scene())


def test_closed_it_cuts_who_is_there_and_lets_nobody_in() -> None:
    desk = Desk(3)

    async def sit() -> None:
        with desk.place():
            await asyncio.sleep(30)

    async def scene() -> None:
        done = asyncio.create_task(sit())
        await asyncio.sleep(0)
        done.cancel()
        some = [asyncio.create_task(sit()) for _ in range(2)]
        await asyncio.sleep(0)
        assert desk.close() == 2
        assert desk.close() == 0  # told once more
        ends = await asyncio.gather(*some, return_exceptions=True)
        assert [type(end) for end in ends] == [asyncio.CancelledError] * 2
        with pytest.raises(Refused, match="the server ends"), desk.place():
            pass

    asyncio.run(scene())

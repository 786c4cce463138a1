"""Places for documents."""

from __future__ import annotations

import asyncio
import threading

import pytest

from heedful.serve.desk import Desk
from heedful.serve.refused import Refused


def test_there_are_so_many_places() -> None:
    desk = Desk(2)
    with desk.place(), desk.place():
        with pytest.raises(Refused) as refused, desk.place():
            pass
        assert refused.value.status == 503
        assert refused.value.retry_after
    with desk.place(), desk.place():
        pass


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
        async with asyncio.timeout(30):
            while True:
                try:
                    with desk.place():
                        return
                except Refused:
                    await asyncio.sleep(0.01)

    asyncio.run(scene())

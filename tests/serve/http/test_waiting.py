"""Work is done as long as somebody waits for it, and there is time."""

from __future__ import annotations

import asyncio

import pytest
from starlette.requests import ClientDisconnect, Request

from heedful.serve.http.waiting import CLIENT, Client, while_waited_for
from heedful.serve.refused import Refused


class Work:
    """Takes a while; knows how it ended."""

    def __init__(self, seconds: float = 30) -> None:
        self.seconds = seconds
        self.ended = "not begun"

    async def do(self) -> str:
        self.ended = "broken off"
        await asyncio.sleep(self.seconds)
        self.ended = "done"
        return "answer"


def request_of(client: Client) -> Request:
    return Request({"type": "http", CLIENT: client})


def test_what_is_waited_for_is_done_and_forgotten() -> None:
    async def scene() -> None:
        client = Client()
        for _ in range(2):
            found = await while_waited_for(request_of(client), Work(0).do(), seconds=30)
            assert found == "answer"
        assert client.watchers == set()

    asyncio.run(scene())


def test_whoever_leaves_ends_the_work() -> None:
    async def scene() -> str:
        client, work = Client(), Work()
        asyncio.get_running_loop().call_later(0.01, client.leave)
        with pytest.raises(ClientDisconnect):
            await while_waited_for(request_of(client), work.do(), seconds=30)
        await asyncio.sleep(0)  # the task itself goes on
        return work.ended

    assert asyncio.run(scene()) == "broken off"


def test_for_whoever_has_left_nothing_is_begun() -> None:
    async def scene() -> str:
        client, work = Client(), Work()
        client.leave()
        with pytest.raises(ClientDisconnect):
            await while_waited_for(request_of(client), work.do(), seconds=30)
        return work.ended

    assert asyncio.run(scene()) == "not begun"


def test_what_takes_too_long_is_told() -> None:
    async def scene() -> str:
        work = Work()
        with pytest.raises(Refused) as refused:
            await while_waited_for(request_of(Client()), work.do(), seconds=0.01)
        assert refused.value.status == 413
        return work.ended

    assert asyncio.run(scene()) == "broken off"


def test_a_server_that_ends_is_no_client_that_leaves() -> None:
    async def scene() -> None:
        asked = asyncio.create_task(while_waited_for(request_of(Client()), Work().do(), seconds=30))
        await asyncio.sleep(0)  # it begins
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked

    asyncio.run(scene())

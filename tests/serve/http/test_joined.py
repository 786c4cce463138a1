"""What is written in one go is sent in one go, and nothing is lost by it."""

from __future__ import annotations

import asyncio

from heedful.serve.http.joined import Joined
from heedful.serve.running import loop_factory


class Wire(asyncio.Transport):
    """Remembers what is done to it."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[bytes | str] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.done.append(bytes(data))

    def close(self) -> None:
        self.done.append("closed")

    def abort(self) -> None:
        self.done.append("aborted")

    def is_closing(self) -> bool:
        return "aborted" in self.done

    def get_write_buffer_size(self) -> int:
        return 100


class Client(asyncio.Protocol):
    """Tells when its connection has ended."""

    def __init__(self) -> None:
        self.has_lost_connection = asyncio.Event()

    def connection_lost(self, exc: Exception | None) -> None:
        self.has_lost_connection.set()


def test_head_and_body_are_sent_together() -> None:
    async def scene() -> list[bytes | str]:
        wire = Wire()
        joined = Joined(wire, asyncio.get_running_loop())
        joined.write(b"head, ")
        joined.write(b"body")
        assert wire.done == []
        assert joined.get_write_buffer_size() == 100 + len(b"head, body")
        await asyncio.sleep(0)
        assert joined.get_write_buffer_size() == 100
        joined.write(b"next")
        await asyncio.sleep(0)
        return wire.done

    assert asyncio.run(scene()) == [b"head, body", b"next"]


def test_what_was_written_is_sent_before_the_end() -> None:
    async def scene() -> list[bytes | str]:
        wire = Wire()
        joined = Joined(wire, asyncio.get_running_loop())
        joined.write(b"last words")
        joined.close()
        await asyncio.sleep(0)
        return wire.done

    assert asyncio.run(scene()) == [b"last words", "closed"]


def test_who_is_let_go_at_once_gets_nothing_more() -> None:
    async def scene() -> list[bytes | str]:
        wire = Wire()
        joined = Joined(wire, asyncio.get_running_loop())
        joined.write(b"too late")
        joined.abort()
        await asyncio.sleep(0)
        return wire.done

    assert asyncio.run(scene()) == ["aborted"]


def test_a_client_that_has_gone_is_no_fault() -> None:
    """On the server's own loop, whose transports take nothing more when they are closed."""

    async def scene() -> list[dict[str, object]]:
        loop = asyncio.get_running_loop()
        faults: list[dict[str, object]] = []
        loop.set_exception_handler(lambda _, context: faults.append(context))
        server = await loop.create_server(asyncio.Protocol, "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()[:2]
        transport, client = await loop.create_connection(Client, host, port)
        joined = Joined(transport, loop)
        joined.write(b"too late")
        transport.abort()
        await asyncio.wait_for(client.has_lost_connection.wait(), 60)
        joined.write(b"later still")
        await asyncio.sleep(0)  # it is sent in this turn of the loop
        server.close()
        return faults

    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        assert runner.run(scene()) == []

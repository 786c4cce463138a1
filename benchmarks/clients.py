"""Clients of a server, many at once or one alone, and what they cost beside it."""

from __future__ import annotations

import asyncio
import json
import math
import re
import resource
import signal
import statistics
import subprocess
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from heedful.serve.running import loop_factory

CLIENTS = 64
ALONE = 150  # sentences that one client asks for
HEAD = (
    b"POST /translate HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n"
)
T = TypeVar("T")
LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


class Client(asyncio.Protocol):
    """One connection that is kept. What it costs the machine, the server lacks: so it does no more
    than it must, and has no streams between itself and the socket."""

    def __init__(self, port: int, pair: tuple[str, str] = ("en", "de")) -> None:
        self._port = port
        self._pair = dict(zip(("source", "target"), pair, strict=True))
        self._came = b""

    async def __aenter__(self) -> Client:
        self._loop = asyncio.get_running_loop()
        self._transport, _ = await self._loop.create_connection(
            lambda: self, "127.0.0.1", self._port
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        self._transport.close()

    async def translate(self, text: str) -> str:
        """One sentence."""
        return str((await self.ask({"q": text}))["translatedText"])

    async def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """One request, one answer."""
        body = json.dumps(self._pair | question).encode()
        self._answer = self._loop.create_future()
        self._transport.write(HEAD % len(body) + body)
        answer: dict[str, Any] = json.loads(await self._answer)
        return answer

    def data_received(self, data: bytes) -> None:
        """Perhaps only a part of the answer."""
        self._came += data
        head, end, body = self._came.partition(b"\r\n\r\n")
        if not end:
            return
        assert head.startswith(b"HTTP/1.1 200"), head
        found = LENGTH.search(head)
        assert found is not None, head
        if len(body) == int(found[1]):
            self._came = b""
            self._answer.set_result(body)

    def connection_lost(self, error: Exception | None) -> None:
        """Whoever waits is told."""
        if hasattr(self, "_answer") and not self._answer.done():
            self._answer.set_exception(error or ConnectionError("the server has gone"))


@dataclass(frozen=True)
class Server:
    """One that is running, and the languages it is asked for."""

    process: subprocess.Popen[Any]
    port: int
    pair: tuple[str, str]

    async def many(self, lines: list[str], answers: dict[str, str] | None = None) -> float:
        """Sentences a second, by clients that each ask for the next: as long as all are at work,
        from when each has had an answer until one of them finds nothing left to ask for. (nan if
        there are too few lines for that.) What was answered goes into `answers`."""
        coming = iter(lines)
        answers = {} if answers is None else answers
        answered = 0
        at_work: set[int] = set()
        first, last = (math.inf, 0), (math.inf, 0)  # when, and how many were answered by then

        async def ask_on(number: int) -> None:
            nonlocal answered, first, last
            async with Client(self.port, self.pair) as client:
                for line in coming:
                    answers[line] = await client.translate(line)
                    answered += 1
                    if number not in at_work:
                        at_work.add(number)
                        first = time.perf_counter(), answered
                last = min(last, (time.perf_counter(), answered))

        await asyncio.gather(*map(ask_on, range(CLIENTS)))
        is_long = len(at_work) == CLIENTS and first < last
        return (last[1] - first[1]) / (last[0] - first[0]) if is_long else math.nan

    async def alone(self, lines: list[str]) -> list[float]:
        """Seconds of each request of one client."""
        waits = []
        async with Client(self.port, self.pair) as client:
            for line in lines:
                started = time.perf_counter()
                await client.translate(line)
                waits.append(time.perf_counter() - started)
        return waits

    async def otherwise(self, lines: list[str]) -> int:
        """Sentences that read otherwise for one client alone than beside 63 others."""
        beside: dict[str, str] = {}
        await self.many(lines, beside)
        async with Client(self.port, self.pair) as client:
            return sum([await client.translate(line) != beside[line] for line in lines])

    def measured(self, lines: list[str]) -> dict[str, float]:
        """Both, and the cores that the clients took."""
        before, started = cpu_seconds(), time.perf_counter()
        rate = run(self.many(lines))
        assert not math.isnan(rate), f"{len(lines)} lines are too few for {CLIENTS} clients"
        cores = (cpu_seconds() - before) / (time.perf_counter() - started)
        wait = statistics.median(run(self.alone(lines[:ALONE])))
        return {"rate": rate, "cores": cores, "wait": wait}

    def stop(self) -> None:
        """It finishes what it has."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def run(work: Coroutine[None, None, T]) -> T:
    """On the quickest loop that there is: the clients shall leave the cores to the server."""
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(work)


def cpu_seconds() -> float:
    """Of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime

"""Clients of a server, many at once or one alone, and what they cost beside it."""

from __future__ import annotations

import asyncio
import json
import re
import resource
import signal
import statistics
import subprocess
import time
from dataclasses import dataclass
from typing import Any

CLIENTS = 64
ALONE = 150  # sentences that one client asks for


class Client:
    """One connection that is kept."""

    def __init__(self, port: int, pair: tuple[str, str] = ("en", "de")) -> None:
        self._port = port
        self._pair = dict(zip(("source", "target"), pair, strict=True))

    async def __aenter__(self) -> Client:
        self._read, self._write = await asyncio.open_connection("127.0.0.1", self._port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._write.close()
        await self._write.wait_closed()

    async def translate(self, text: str) -> str:
        """One sentence."""
        return str((await self.ask({"q": text}))["translatedText"])

    async def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """One request, one answer."""
        body = json.dumps(self._pair | question).encode()
        head = (
            f"POST /translate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        self._write.write(head.encode() + body)
        told = await self._read.readuntil(b"\r\n\r\n")
        assert told.startswith(b"HTTP/1.1 200"), told
        found = re.search(rb"content-length: (\d+)", told, re.IGNORECASE)
        assert found is not None
        answer: dict[str, Any] = json.loads(await self._read.readexactly(int(found[1])))
        return answer


@dataclass(frozen=True)
class Server:
    """One that is running, and the languages it is asked for."""

    process: subprocess.Popen[Any]
    port: int
    pair: tuple[str, str]

    async def many(self, lines: list[str]) -> float:
        """Seconds until all lines are translated, by clients that each ask for the next."""
        coming = iter(lines)

        async def ask_on() -> None:
            async with Client(self.port, self.pair) as client:
                for line in coming:
                    await client.translate(line)

        started = time.perf_counter()
        await asyncio.gather(*(ask_on() for _ in range(CLIENTS)))
        return time.perf_counter() - started

    async def alone(self, lines: list[str]) -> list[float]:
        """Seconds of each request of one client."""
        waits = []
        async with Client(self.port, self.pair) as client:
            for line in lines:
                started = time.perf_counter()
                await client.translate(line)
                waits.append(time.perf_counter() - started)
        return waits

    def measured(self, lines: list[str]) -> dict[str, float]:
        """Both, and the cores that the clients took."""
        before = cpu_seconds()
        took = asyncio.run(self.many(lines))
        cores = (cpu_seconds() - before) / took
        wait = statistics.median(asyncio.run(self.alone(lines[:ALONE])))
        return {"rate": len(lines) / took, "cores": cores, "wait": wait}

    def stop(self) -> None:
        """It finishes what it has."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def cpu_seconds() -> float:
    """Of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime

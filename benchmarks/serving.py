"""How much do clients of the server wait, and what does the server cost beside the bare engine?

    HEEDFUL_DATA=… python benchmarks/serving.py [passes]

A tiny model, trained for two minutes, beam 4. Its sentences a second from file to file, as `heedful
translate` does it, without loading; the same sentences asked for by 64 clients at once, one
sentence each, over HTTP; and one client alone, its median wait beside the engine's own for one
sentence. All take turns; medians. Clients and server share the machine: the CPU time that the
clients took is told too.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from common import heedful, keep
from workload import make_texts

CLIENTS = 64
ALONE = 150  # sentences that one client asks for


class Client:
    """One connection that is kept."""

    def __init__(self, port: int) -> None:
        self._port = port

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
        body = json.dumps({"source": "en", "target": "de"} | question).encode()
        head = (
            f"POST /translate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        self._write.write(head.encode() + body)
        told = await self._read.readuntil(b"\r\n\r\n")
        assert told.startswith(b"HTTP/1.1 200"), told
        found = re.search(rb"content-length: (\d+)", told)
        assert found is not None
        answer: dict[str, Any] = json.loads(await self._read.readexactly(int(found[1])))
        return answer


async def many(port: int, lines: list[str]) -> float:
    """Seconds until all lines are translated, by clients that each ask for the next."""
    coming = iter(lines)

    async def ask_on() -> None:
        async with Client(port) as client:
            for line in coming:
                await client.translate(line)

    started = time.perf_counter()
    await asyncio.gather(*(ask_on() for _ in range(CLIENTS)))
    return time.perf_counter() - started


async def alone(port: int, lines: list[str]) -> list[float]:
    """Seconds of each request of one client."""
    waits = []
    async with Client(port) as client:
        for line in lines:
            started = time.perf_counter()
            await client.translate(line)
            waits.append(time.perf_counter() - started)
    return waits


ENGINE = """
import json, sys, time
import heedful
run, source, alone = sys.argv[1], sys.argv[2], int(sys.argv[3])
lines = [line.strip() for line in open(source, encoding="utf-8")]
translator = heedful.load(run)
translator.translate(lines[:50], beam=4)
for _ in sys.stdin:
    started = time.perf_counter()
    translator.translate(lines, beam=4)
    whole = time.perf_counter() - started
    waits = []
    for line in lines[:alone]:
        started = time.perf_counter()
        translator.translate(line, beam=4)
        waits.append(time.perf_counter() - started)
    print(json.dumps([whole, waits]), flush=True)
"""


def cpu_seconds() -> float:
    """Of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def serve(run: Path) -> tuple[subprocess.Popen[str], int]:
    """The real server, and its port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "heedful", "serve", str(run), "--port", "0", "--rate", "0",
         "--beam", "4", "--name", "en-de"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"http://[^:]+:(\d+)", line):
            return process, int(found[1])
    raise RuntimeError("the server did not start")


def main() -> None:
    """All in turn."""
    passes = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        texts = make_texts(folder)
        run = folder / "run"
        budget = os.environ.get("BUDGET", "120s")
        heedful("train", "--source", texts.train.source, "--target", texts.train.target,
                "--preset", "tiny", "--budget", budget, "--out", run)  # fmt: skip
        source = texts.test.source
        lines = [line.strip() for line in Path(source).read_text(encoding="utf-8").splitlines()]
        keep("serving", measure(run, Path(source), lines, passes))


def measure(run: Path, source: Path, lines: list[str], passes: int) -> dict[str, Any]:
    """The medians."""
    engine = subprocess.Popen([sys.executable, "-c", ENGINE, str(run), str(source), str(ALONE)],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # fmt: skip
    server, port = serve(run)
    assert engine.stdin is not None
    assert engine.stdout is not None
    asyncio.run(many(port, lines[:200]))
    rows = []
    for _ in range(passes):
        engine.stdin.write("\n")
        engine.stdin.flush()
        whole, waits = json.loads(engine.stdout.readline())
        before = cpu_seconds()
        took = asyncio.run(many(port, lines))
        clients = cpu_seconds() - before
        of_one = asyncio.run(alone(port, lines[:ALONE]))
        rows.append((len(lines) / whole, len(lines) / took, clients / took,
                     statistics.median(waits), statistics.median(of_one)))  # fmt: skip
    server.send_signal(signal.SIGTERM)
    server.wait()
    engine.communicate()
    by_file, by_clients, share, engine_wait, client_wait = (
        statistics.median(column) for column in zip(*rows, strict=True)
    )
    return {
        "sentences/s, file": round(by_file),
        f"sentences/s, {CLIENTS} clients": round(by_clients),
        "ratio": round(by_clients / by_file, 2),
        "cores that the clients took": round(share, 2),
        "ms, one sentence by the engine": round(1e3 * engine_wait, 2),
        "ms, one sentence by one client": round(1e3 * client_wait, 2),
        "times as long": round(client_wait / engine_wait, 2),
    }


if __name__ == "__main__":
    main()

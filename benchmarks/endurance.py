"""Does the server's memory stay flat?

    python benchmarks/endurance.py [requests] [run]

100,000 requests of mixed kinds and sizes unless told, from 32 clients: single words, sentences,
paragraphs, long texts and lists, tags, files, alternatives, languages to be detected, glossaries,
alignments, streams and records. Told are the resident memory of the server and of its worker after
the first tenth, when all is warm, the most that each had from then on, and at the end; and how many
requests were answered a second.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common import heedful, keep
from fuzzing import resident
from serving import serve
from workload import make_texts

REQUESTS, CLIENTS = 100_000, 32
PAIR = {"source": "en", "target": "de"}
MIX = {
    "words": 54, "sentence": 28, "paragraph": 5, "list": 2, "large list": 0.2, "long": 0.8,
    "html": 2, "file": 1, "alternatives": 2, "auto": 2, "glossary": 1, "align": 1, "stream": 0.5,
    "record": 0.5,
}  # fmt: skip
"""Of a hundred requests."""


@dataclass(frozen=True)
class Question:
    """What is sent where."""

    path: str
    body: bytes
    kind: str = "application/json"


def question(draw: random.Random, lines: list[str]) -> Question:
    """One of the mix."""
    line = draw.choice(lines)
    kind = draw.choices(list(MIX), list(MIX.values()))[0]
    if kind == "file":
        return _file("\n\n".join(draw.choices(lines, k=20)))
    if kind in ("glossary", "align", "stream", "record"):
        wishes = {"glossary": {line.split()[0]: "Wort"}, "align": True}
        wish = {kind: wishes[kind]} if kind in wishes else {}
        return _asked(f"/v1/{'translate' if wish else kind}", {"text": line, **wish})
    first, *rest = line.split()
    of_kind: dict[str, dict[str, Any]] = {
        "words": {"q": " ".join(line.split()[: draw.randint(1, 4)])},
        "sentence": {"q": line},
        "paragraph": {"q": " ".join(draw.choices(lines, k=4))},
        "list": {"q": draw.choices(lines, k=5)},
        "large list": {"q": [" ".join(draw.choices(lines, k=3))[:240] for _ in range(200)]},
        "long": {"q": "\n".join(draw.choices(lines, k=30))},
        "html": {"q": f"<p><b>{first}</b> {' '.join(rest)}</p>", "format": "html"},
        "alternatives": {"q": line, "alternatives": 3},
        "auto": {"q": line, "source": "auto"},
    }
    return _asked("/translate", of_kind[kind])


def _asked(path: str, fields: dict[str, Any]) -> Question:
    return Question(path, json.dumps(PAIR | fields).encode())


def _file(text: str) -> Question:
    part = '--x\r\nContent-Disposition: form-data; name="{}"{}\r\n\r\n{}\r\n'
    fields = [part.format(name, "", code) for name, code in PAIR.items()]
    body = "".join([*fields, part.format("file", '; filename="a.txt"', text), "--x--\r\n"])
    return Question("/translate_file", body.encode(), "multipart/form-data; boundary=x")


class Asker:
    """A client that asks for anything."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def __aenter__(self) -> Asker:
        self._read, self._write = await asyncio.open_connection("127.0.0.1", self._port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._write.close()

    async def post(self, asked: Question) -> None:
        """One request, and all of its answer."""
        head = (
            f"POST {asked.path} HTTP/1.1\r\nHost: x\r\nContent-Type: {asked.kind}\r\n"
            f"Content-Length: {len(asked.body)}\r\n\r\n"
        )
        self._write.write(head.encode() + asked.body)
        told = await self._read.readuntil(b"\r\n\r\n")
        is_busy = told.startswith(b"HTTP/1.1 503")  # there are places for a few files at a time
        assert is_busy or told.startswith(b"HTTP/1.1 200"), told
        if found := re.search(rb"content-length: (\d+)", told, re.IGNORECASE):
            await self._read.readexactly(int(found[1]))
        else:
            await self._read.readuntil(b"\r\n0\r\n\r\n")


class Memory:
    """Of a server and its worker, in MiB."""

    def __init__(self, server: int) -> None:
        self._server = server

    def now(self) -> dict[str, float]:
        """What each has."""
        return {name: resident(process) for name, process in self._processes().items()}

    def forget_most(self) -> None:
        """The most that each had is counted from now on."""
        for process in self._processes().values():
            Path(f"/proc/{process}/clear_refs").write_text("5")

    def most(self) -> dict[str, float]:
        """Since then."""
        return {name: resident(process, "VmHWM") for name, process in self._processes().items()}

    def _processes(self) -> dict[str, int]:
        path = Path(f"/proc/{self._server}/task/{self._server}/children")
        (worker,) = path.read_text().split()
        return {"server": self._server, "worker": int(worker)}


async def ask_all(port: int, lines: list[str], numbers: range) -> float:
    """Each client asks for the next. Requests a second."""
    coming = iter(numbers)
    started = time.perf_counter()

    async def ask_on() -> None:
        async with Asker(port) as client:
            for number in coming:
                await client.post(question(random.Random(number), lines))
                done = number - numbers.start + 1
                if done % max(1, len(numbers) // 10) == 0:
                    rate = done / (time.perf_counter() - started)
                    print(f"{done:,} of {len(numbers):,}, {rate:.0f}/s", flush=True)

    await asyncio.gather(*(ask_on() for _ in range(CLIENTS)))
    return len(numbers) / (time.perf_counter() - started)


def measured(port: int, lines: list[str], n: int, server: int) -> dict[str, Any]:
    """First a tenth, so that all is warm; then the rest."""
    asyncio.run(ask_all(port, lines, range(n // 10)))
    memory = Memory(server)
    memory.forget_most()
    warm = memory.now()
    rate = asyncio.run(ask_all(port, lines, range(n // 10, n)))
    last, most = memory.now(), memory.most()
    figures: dict[str, Any] = {"requests": n, "requests/s": round(rate), "mix": MIX}
    for name in warm:
        change = round(100 * (last[name] / warm[name] - 1), 1)
        figures[f"{name}, MiB"] = {
            "after a tenth": round(warm[name]), "most": round(most[name]),
            "at the end": round(last[name]), "%, change": change,
        }  # fmt: skip
    return figures


def main() -> None:
    """All of it."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        texts = make_texts(folder)
        run = Path(sys.argv[2]) if len(sys.argv) > 2 else folder / "run"
        if not run.exists():
            heedful("train", "--source", texts.train.source, "--target", texts.train.target,
                    "--preset", "tiny", "--budget", "60s", "--out", run)  # fmt: skip
        lines = texts.test.source.read_text(encoding="utf-8").splitlines()
        server, port = serve(run)
        try:
            figures = measured(port, lines, n, server.pid)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
    keep("endurance", figures)


if __name__ == "__main__":
    main()

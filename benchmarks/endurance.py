"""Does the server's memory stay flat?

    python benchmarks/endurance.py [requests] [run]

100,000 requests of mixed kinds and sizes unless told, from 32 clients: single words, sentences,
paragraphs, long texts and lists, tags, files, alternatives, languages to be detected, glossaries,
alignments, streams and records. The first tenth warms the server and its worker. Of each later
tenth the median of their resident memory is told, looked at twice a second, and the most; and what
they have after each tenth, when nobody has asked for some seconds. Also how many requests were
answered a second, and how many files were refused with 503, because the few places for them were
taken. It fails if anything else than a file is refused, or if either process has 10 % more memory
in the last tenth than in the second, or at the last three rests than at the first three: what the
C library gives back differs from rest to rest, so their medians are compared.
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
from statistics import median
from typing import Any

from common import keep
from memory import Memory, growth, resident, usual
from serve import serve
from workload import make_texts, tiny_run

REQUESTS, CLIENTS = 100_000, 32
MOST_GROWTH = 10  # percent
REST = 12  # seconds: the server gives memory back after five
RESTS = 3  # whose median is compared
FILES = "/translate_file"
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
    return Question(FILES, body.encode(), "multipart/form-data; boundary=x")


class Asker:
    """A client that asks for anything."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def __aenter__(self) -> Asker:
        self._read, self._write = await asyncio.open_connection("127.0.0.1", self._port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._write.close()

    async def post(self, asked: Question) -> bool:
        """One request, and all of its answer; whether it was taken. There are places for a few
        files at a time: one too many is refused, and nothing else may be."""
        head = (
            f"POST {asked.path} HTTP/1.1\r\nHost: x\r\nContent-Type: {asked.kind}\r\n"
            f"Content-Length: {len(asked.body)}\r\n\r\n"
        )
        self._write.write(head.encode() + asked.body)
        told = await self._read.readuntil(b"\r\n\r\n")
        is_taken = told.startswith(b"HTTP/1.1 200")
        is_refused_file = asked.path == FILES and told.startswith(b"HTTP/1.1 503")
        if not (is_taken or is_refused_file):
            raise RuntimeError(f"{asked.path} was answered with {told!r}")
        if found := re.search(rb"content-length: (\d+)", told, re.IGNORECASE):
            await self._read.readexactly(int(found[1]))
        else:
            await self._read.readuntil(b"\r\n0\r\n\r\n")
        return is_taken


async def ask_all(port: int, lines: list[str], numbers: range) -> tuple[float, int]:
    """Each client asks for the next. Requests a second, and how many files were refused."""
    coming = iter(numbers)
    refused = 0
    started = time.perf_counter()

    async def ask_on() -> None:
        nonlocal refused
        async with Asker(port) as client:
            for number in coming:
                is_taken = await client.post(question(random.Random(number), lines))
                refused += not is_taken

    await asyncio.gather(*(ask_on() for _ in range(CLIENTS)))
    return len(numbers) / (time.perf_counter() - started), refused


def measured(
    port: int, lines: list[str], n: int, server: int
) -> tuple[dict[str, Any], dict[str, float]]:
    """First a tenth, so that all is warm; then the rest. Also by how much each process has grown
    since, in percent, busy and at rest."""
    tenth = max(1, n // 10)
    n = 10 * tenth
    _, refused = asyncio.run(ask_all(port, lines, range(tenth)))
    memory = Memory(server)
    rests = [at_rest(memory)]
    busy: list[dict[str, float]] = []
    most: dict[str, float] = dict.fromkeys(rests[0], 0)
    rates = []
    for start in range(tenth, n, tenth):
        with memory.watched() as seen:
            rate, newly_refused = asyncio.run(ask_all(port, lines, range(start, start + tenth)))
        rates.append(rate)
        refused += newly_refused
        busy.append(usual(seen))
        most = {name: max(most[name], *seen[name]) for name in seen}
        rests.append(at_rest(memory))
        seen_now = f"{rounded(busy[-1])}, at rest {rounded(rests[-1])}"
        print(f"{start + tenth:,} of {n:,}, {rate:.0f}/s, MiB: {seen_now}", flush=True)
    figures: dict[str, Any] = {"requests": n, "requests/s": round(median(rates)), "mix": MIX}
    figures["files refused with 503"] = refused
    grown = {}
    for name in rests[0]:
        resting = [some[name] for some in rests]
        grown[f"the busy {name}"] = growth(busy[0][name], busy[-1][name])
        grown[f"the resting {name}"] = growth(median(resting[:RESTS]), median(resting[-RESTS:]))
        figures[f"{name}, MiB"] = {
            "busy, each tenth after the first": [round(some[name]) for some in busy],
            "most": round(most[name]),
            "at rest, after each tenth": [round(some) for some in resting],
        }
    figures["growth, %"] = {what: round(percent, 1) for what, percent in grown.items()}
    return figures, grown


def at_rest(memory: Memory) -> dict[str, float]:
    """What is left when nobody asks."""
    time.sleep(REST)
    return memory.now()


def rounded(mebibytes: dict[str, float]) -> dict[str, int]:
    """To read."""
    return {name: round(much) for name, much in mebibytes.items()}


def main() -> None:
    """All of it."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        texts = make_texts(folder)
        run = tiny_run(texts, folder, sys.argv[2:])
        lines = texts.test.source.read_text(encoding="utf-8").splitlines()
        server, port = serve(run)
        at_first = {"server at first, MiB": round(resident(server.pid))}
        try:
            figures, grown = measured(port, lines, n, server.pid)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
    keep("endurance", {"texts": texts.name} | at_first | figures)
    if leaking := [name for name, percent in grown.items() if percent >= MOST_GROWTH]:
        sys.exit(f"the memory of {' and '.join(leaking)} grew by {MOST_GROWTH} % or more")


if __name__ == "__main__":
    main()

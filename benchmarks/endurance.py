"""Does the server's memory stay flat?

    python benchmarks/endurance.py [requests] [run]

100,000 requests of mixed sizes unless told, from 32 clients: single words, sentences, paragraphs,
texts of thirty sentences, some with tags, some in a list. Told are the resident memory of the
server after the first tenth, when all is warm, and at the end, and the largest on the way; and how
many were answered a second. (None of this needs the worker, which is not started.)
"""

from __future__ import annotations

import asyncio
import random
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from clients import Client
from common import heedful, keep
from fuzzing import resident
from serving import serve
from workload import make_texts

REQUESTS, CLIENTS = 100_000, 32


def question(draw: random.Random, lines: list[str]) -> dict[str, Any]:
    """One of a mixed size."""
    line = draw.choice(lines)
    kind = draw.random()
    if kind < 0.6:
        return {"q": " ".join(line.split()[: draw.randint(1, 4)])}
    if kind < 0.9:
        return {"q": line}
    if kind < 0.95:
        return {"q": " ".join(draw.choices(lines, k=4))}
    if kind < 0.97:
        return {"q": draw.choices(lines, k=5)}
    if kind < 0.99:
        first, *rest = line.split()
        return {"q": f"<p><b>{first}</b> {' '.join(rest)}</p>", "format": "html"}
    return {"q": "\n".join(draw.choices(lines, k=30))}


async def ask_all(port: int, lines: list[str], n: int, server: int) -> list[float]:
    """Each client asks for the next. What the server's memory was, now and then, in MiB."""
    seen: list[float] = []
    coming = iter(range(n))
    started = time.perf_counter()

    async def ask_on() -> None:
        async with Client(port) as client:
            for number in coming:
                await client.ask(question(random.Random(number), lines))
                if (number + 1) % (n // 20) == 0:
                    seen.append(resident(server))
                    rate = (number + 1) / (time.perf_counter() - started)
                    left = (n - number) / rate
                    print(f"{number + 1:,} of {n:,}, {rate:.0f}/s, {seen[-1]:.0f} MiB, "
                          f"{left:.0f} s left", flush=True)  # fmt: skip

    await asyncio.gather(*(ask_on() for _ in range(CLIENTS)))
    return seen


def main() -> None:
    """First a little, so that all is loaded; then all."""
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
        asyncio.run(ask_all(port, lines, 200, server.pid))
        started = time.perf_counter()
        seen = asyncio.run(ask_all(port, lines, n, server.pid))
        rate = n / (time.perf_counter() - started)
        server.send_signal(signal.SIGTERM)
        server.wait()
    warm, last = seen[1], seen[-1]
    keep("endurance", {
        "requests": n, "requests/s": round(rate), "MiB, after a tenth": round(warm),
        "MiB, at the end": round(last), "MiB, most": round(max(seen)),
        "%, change": round(100 * (last / warm - 1), 1),
    })  # fmt: skip


if __name__ == "__main__":
    main()

"""Does the server stand whatever is sent to it?

    python benchmarks/fuzzing.py [requests] [run]

Malformed requests (types, encodings, sizes, nesting, headers, broken multipart, connections closed
in the middle), drawn with a seed, 20,000 unless told; then schemathesis, in an environment of its
own, by the server's own OpenAPI document: do all answers keep to it? Told are the statuses that
came back, after what a connection was closed without one, how much memory the server has before
and after, and whether it still translates as it did. It fails if a 5xx but 503 came, if a request
was not answered whose client may still listen, if the server has 10 % more memory after the
malformed requests than before (a tenth as many go ahead, so that all is loaded), or if schemathesis
finds something.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from common import keep
from environments import python_of
from malformed import request
from memory import growth, resident
from serve import serve
from workload import make_texts, tiny_run

REQUESTS, AT_ONCE = 20_000, 96  # many only wait until the server lets them go
MOST_GROWTH = 10  # percent
PATIENCE = 100  # seconds for an answer: more than the 60 after which the server says it is too much
CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance",
          "response_headers_conformance", "response_schema_conformance",
          "unsupported_method"]  # fmt: skip
FINAL = re.compile(rb"(?:HTTP/1\.1 1\d\d[^\r]*\r\n(?:[^\r]+\r\n)*\r\n)*HTTP/1\.1 ([2-9]\d\d)")
"""The status of an answer, behind those that only say that it will come."""
LENGTH = re.compile(rb"Content-Length: (\d+)\r\n")
LEFT, UNCUT = "we left", "a request, as it is"
NOTHING, WHOLE = "nothing, and no more", "a whole request, and no more"
RIGHT = {f"closed: {NOTHING}", f"closed: {WHOLE}"}
"""Nothing was asked, or the client may have left: whoever closes a connection and whoever only says
that no more will come look the same."""


async def send(port: int, data: bytes, draw: random.Random) -> str:
    """What came back: a status, or that the connection was closed, and after what."""
    is_cut = draw.random() >= 0.9
    sent = data[: draw.randint(0, len(data))] if is_cut else data
    try:
        read, write = await asyncio.open_connection("127.0.0.1", port)
        write.write(sent)
        if is_cut and draw.random() < 0.5:
            write.close()
            return LEFT
        if is_cut:
            with contextlib.suppress(OSError):  # it may have been answered and closed by now
                write.write_eof()
        status = await asyncio.wait_for(final_status(read), PATIENCE)
        write.close()
    except TimeoutError:
        return "no answer"
    except OSError as error:  # also of a connection that the server has closed by now
        return type(error).__name__
    return status or f"closed: {extent(sent) if is_cut else UNCUT}"


async def final_status(read: asyncio.StreamReader) -> str:
    """When it has come; nothing if the server closes without any."""
    told = b""
    while more := await read.read(100_000):
        told += more
        if found := FINAL.match(told):
            return found[1].decode()
    return ""


def extent(sent: bytes) -> str:
    """What a server has of a request behind which nothing more is sent."""
    head, is_over, body = sent.partition(b"\r\n\r\n")
    if not sent:
        return NOTHING
    if not is_over:
        return "a part of a head, and no more"
    told = LENGTH.search(head)
    is_whole = told is None or len(body) >= int(told[1])
    return WHOLE if is_whole else "a part of a body, and no more"


async def storm(port: int, n: int) -> Counter[str]:
    """All requests, some at a time."""
    seen: Counter[str] = Counter()
    coming = iter(range(n))

    async def send_on() -> None:
        for number in coming:
            draw = random.Random(number)
            asked = request(draw)
            answer = await send(port, asked, draw)
            seen[answer] += 1
            if answer == "no answer":
                print(f"request {number} had none: {asked[:300]!r}", flush=True)
            if sum(seen.values()) % 1000 == 0:
                print(f"{sum(seen.values()):,} of {n:,}: {dict(seen)}", flush=True)

    await asyncio.gather(*(send_on() for _ in range(AT_ONCE)))
    return seen


def translated(port: int) -> str:
    """A right question, by curl's way."""
    from urllib.request import Request, urlopen

    asked = json.dumps({"q": "A dog runs in the park.", "source": "en", "target": "de"}).encode()
    kind = {"Content-Type": "application/json"}
    with urlopen(Request(f"http://127.0.0.1:{port}/translate", asked, kind)) as answer:
        return str(json.load(answer)["translatedText"])


def by_schema(port: int, examples: int) -> subprocess.CompletedProcess[str]:
    """schemathesis' own verdict; its exit code is 0 if it found nothing."""
    address = f"http://127.0.0.1:{port}/openapi.json"
    program = python_of("schemathesis").with_name("schemathesis")
    return subprocess.run(
        [program, "run", address, "--checks", ",".join(CHECKS), "--max-examples", str(examples),
         "--seed", "1", "--no-color"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def main() -> None:
    """Both."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        run = tiny_run(make_texts(folder), folder, sys.argv[2:])
        server, port = serve(run)
        before = translated(port)
        asyncio.run(storm(port, n // 10))  # everything is loaded by then
        at_first = resident(server.pid)
        seen = asyncio.run(storm(port, n))
        at_last = resident(server.pid)
        verdict = by_schema(port, examples=max(1, min(200, n // 100)))
        print(verdict.stdout[-6000:], verdict.stderr[-2000:])
        is_same = translated(port) == before
        server.send_signal(signal.SIGTERM)
        code = server.wait(timeout=60)
    bad = {status: k for status, k in seen.items() if status.startswith("5") and status != "503"}
    silent = {how: k for how, k in seen.items() if not how.isdigit() and how not in RIGHT | {LEFT}}
    keep("fuzzing", {
        "requests": n, "answers": dict(sorted(seen.items())), "5xx but 503": bad,
        "not answered, and should be": silent,
        "MiB before": round(at_first), "MiB after": round(at_last),
        "still translates alike": is_same, "exit code": code,
        "schemathesis": re.findall(r"\d+ generated.*", verdict.stdout), "its checks": CHECKS,
        "its exit code": verdict.returncode,
    })  # fmt: skip
    is_leaking = growth(at_first, at_last) >= MOST_GROWTH
    if bad or silent or is_leaking or verdict.returncode or code or not is_same:
        sys.exit("something was found, see above")


if __name__ == "__main__":
    main()

"""How long do others wait while hostile documents are read?

    python benchmarks/hostile.py [run]

Documents that are made to harm, as large as the server's limits let them be: tags in tags, boxes in
boxes, paragraphs of one letter, megabytes of spaces in some kilobytes. Of each kind four are sent
at once to a server of its own, as many as it takes at a time; meanwhile /health is asked for again
and again. Told are the longest and the median wait, and what became of the documents within six
seconds. It fails if anybody waited for more than a second. Without a run a model is trained for a
minute.
"""

from __future__ import annotations

import asyncio
import io
import random
import signal
import statistics
import sys
import tempfile
import time
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

from common import keep
from fuzzing import final_status
from serve import serve
from workload import make_texts, tiny_run

AT_ONCE = 4
SECONDS = 6.0  # for each kind: to translate all of it would take minutes
PAUSE = 0.02  # seconds between two questions
LONGEST = 1.0  # seconds that anybody may wait
RUN = "<w:r><w:rPr><w:b/></w:rPr><w:t>x </w:t></w:r>"  # seven tags


def archive(*parts: tuple[str, str]) -> bytes:
    """A document of these parts, beside one that cannot be packed: so it may unpack to much."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts:
            file.writestr(name, content)
        file.writestr("picture", random.Random(1).randbytes(90_000))
    return out.getvalue()


def word(content: str) -> bytes:
    """One paragraph."""
    return archive(("word/document.xml", f"<w:document><w:p>{content}</w:p></w:document>"))


def documents() -> dict[str, tuple[str, bytes]]:
    """By what is bad about them: a name, and the bytes."""
    box, end = "<w:r><w:pict><w:p>", "</w:p></w:pict></w:r>"
    span = "<text:span>x", "</text:span>"
    pages = [(f"{n}.xhtml", "<p>x</p>") for n in range(9_000)]
    return {
        "html, tags in tags": ("a.html", b"<b>x " * 149_000 + b"</b>" * 149_000),
        "html, tags without an end": ("a.html", b"<a title=x>x " * 99_000),
        "html, paragraphs": ("a.html", b"<p>x</p>" * 99_000),
        "html, one long text": ("a.html", b"<p>" + b"x &amp; " * 140_000),
        "html, words that stay": ("a.html", b"<p>" + b"a <code>x</code> b " * 49_000),
        "html, comments without an end": ("a.html", b"<!-- " * 290_000),
        "docx, runs": ("a.docx", word(RUN * 42_000)),
        "docx, boxes in boxes": ("a.docx", word(box * 49_000 + RUN + end * 49_000)),
        "docx, 9 MB of spaces": ("a.docx", word(" " * 9_000_000)),
        "docx, languages": (
            "a.docx",
            archive(("word/document.xml", RUN), ("word/styles.xml", "<lang val='en" * 400_000)),
        ),
        "odt, spans in spans": (
            "a.odt",
            archive(("content.xml", f"<text:p>{span[0] * 149_000}{span[1] * 149_000}</text:p>")),
        ),
        "epub, pages": ("a.epub", archive(*pages)),
        "srt, subtitles": ("a.srt", b"1\n00:00:01,000 --> 00:00:02,000\nx\n\n" * 99_000),
        "txt, one word": ("a.txt", b"x" * 990_000),
        "txt, lines": ("a.txt", b"x\n" * 99_000),
        "txt, numbers": ("a.txt", b"1 " * 490_000),
        "txt, accents": ("a.txt", b"x" + "\u0301".encode() * 490_000),
    }


def upload(name: str, content: bytes) -> bytes:
    """The request."""
    parts = b"".join(
        b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % pair
        for pair in ((b"source", b"en"), (b"target", b"de"))
    )
    told = b'--x\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\n\r\n'
    body = parts + told % name.encode() + content + b"\r\n--x--\r\n"
    return (
        b"POST /translate_file HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        b"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: %d\r\n\r\n" % len(body)
    ) + body


async def ask(port: int, request: bytes) -> str:
    """The status of the answer."""
    read, write = await asyncio.open_connection("127.0.0.1", port)
    try:
        write.write(request)
        return await final_status(read) or "closed"
    finally:
        write.close()


async def besieged(port: int, request: bytes) -> dict[str, Any]:
    """What others wait while so many of them are under way."""
    health = b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    until = time.perf_counter() + SECONDS
    uploads = [asyncio.create_task(ask(port, request)) for _ in range(AT_ONCE)]
    waits = []
    while time.perf_counter() < until and not all(one.done() for one in uploads):
        started = time.perf_counter()
        assert await ask(port, health) == "200"
        waits.append(time.perf_counter() - started)
        await asyncio.sleep(PAUSE)
    ended = Counter(one.result() if one.done() else "under way" for one in uploads)
    for one in uploads:
        one.cancel()
    await asyncio.gather(*uploads, return_exceptions=True)
    return {
        "longest ms": round(1e3 * max(waits), 1),
        "median ms": round(1e3 * statistics.median(waits), 1),
        "asked": len(waits),
        "documents": dict(ended),
    }


def main() -> None:
    """Each in turn."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        run = tiny_run(make_texts(folder), folder, sys.argv[1:])
        found: dict[str, dict[str, Any]] = {}
        for what, document in documents().items():
            server, port = serve(run)
            found[what] = asyncio.run(besieged(port, upload(*document)))
            print(what, found[what], flush=True)
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=60)
    longest = max(one["longest ms"] for one in found.values())
    keep("hostile", {"at once": AT_ONCE, "longest ms": longest, "by kind": found}, show=False)
    if longest > 1e3 * LONGEST:
        sys.exit(f"somebody waited for {longest} ms")


if __name__ == "__main__":
    main()

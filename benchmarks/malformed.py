"""Requests that are wrong in every way, drawn with a seed."""

from __future__ import annotations

import io
import json
import random
import zipfile
from typing import Any

PATHS = ["/translate", "/detect", "/languages", "/translate_file", "/v1/translate", "/v1/stream",
         "/v1/record", "/see/api/attend", "/see/api/head", "/download_file/x", "/", "/docs",
         "/metrics", "/health", "/none", "/%00", "/..%2f..%2fetc%2fpasswd", "*", "//"]  # fmt: skip
METHODS = ["POST"] * 8 + ["GET", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "FOO", "post"]
TYPES = ["application/json"] * 6 + [
    "application/x-www-form-urlencoded", "text/plain", "", "multipart/form-data; boundary=x",
    "multipart/form-data", "application/json; charset=utf-16", "\xff\xfe",
]  # fmt: skip
NAMES = ["q", "text", "source", "target", "format", "alternatives", "api_key", "beam", "prefix",
         "glossary", "keep", "align", "model", "kind", "layer", "head", "", "x"]  # fmt: skip

ODD = ["Transfer-Encoding: chunked", "Authorization: Bearer \x01", "X-Forwarded-For: ;;",
       "A" * 70_000, "Expect: 100-continue", "Cookie: " + "b" * 9000]  # fmt: skip


ODD_MARKUP = ["<", ">", "<!", "<![", "]]>", "<!--", "&#", "'", "</b>", "\0", "<a " * 99]
PAIR = {"source": "en", "target": "de"}
PAGE = (
    "<!doctype html><!-- x --><p class='a'>A <b>dog</b> <a href='u'>runs</a>.<br>&amp; &#65; <img "
    "src=x><script>if (a < b) {}</script><![CDATA[x]]><pre>a</pre><span translate=no>no</span></p>"
)


def archive(name: str, content: str) -> bytes:
    """A document of one part."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(name, content)
    return out.getvalue()


DOCUMENTS = [
    ("docx", archive("word/document.xml", "<w:p><w:r><w:t>A dog runs.</w:t></w:r></w:p>")),
    ("odt", archive("content.xml", "<text:p>A <text:span>dog</text:span> runs.</text:p>")),
    ("epub", archive("a.xhtml", PAGE)),
    ("html", PAGE.encode()),
    ("srt", b"1\n00:00:01,000 --> 00:00:02,000\nA <i>dog</i> runs.\n"),
    ("txt", "A dog runs.\n\nö".encode()),
]


def mutated(draw: random.Random, text: str) -> str:
    """Some of it cut out, doubled, or replaced by what means something."""
    for _ in range(draw.randint(1, 4)):
        start = draw.randrange(len(text) + 1)
        end = min(len(text), start + draw.randint(0, 20))
        odd = draw.choice(ODD_MARKUP)
        text = text[:start] + draw.choice([odd, "", text[start:end] * 3]) + text[end:]
    return text


def mutated_bytes(draw: random.Random, data: bytes) -> bytes:
    """With some bytes changed, or cut short."""
    changed = bytearray(data)
    for _ in range(draw.randint(0, 5)):
        changed[draw.randrange(len(changed))] = draw.randrange(256)
    return bytes(changed[: draw.choice([len(changed)] * 3 + [draw.randrange(len(changed))])])


def value(draw: random.Random, depth: int = 0) -> Any:
    """Anything that JSON can hold."""
    text = "".join(draw.choices("aä日\u0000\ud800😀 .\n<>&\"'\\{}%$", k=draw.randint(0, 40)))
    simple = [None, True, False, 0, -1, 1.5, 2**70, float("nan"), float("inf"), "", "en", "de",
              "auto", "html", "A dog runs.", text, "a" * draw.choice([10, 60_000])]  # fmt: skip
    if depth > 3 or draw.random() < 0.7:
        return draw.choice(simple)
    if draw.random() < 0.5:
        return [
            value(draw, depth + 1) for _ in range(draw.choice([0, 1, 3, 300]) if depth < 1 else 2)
        ]
    return {draw.choice(NAMES): value(draw, depth + 1) for _ in range(draw.randint(0, 5))}


def body(draw: random.Random) -> bytes:
    """Of a request, mostly wrong."""
    match draw.randint(0, 12):
        case 0:
            return draw.randbytes(draw.randint(0, 300))
        case 1:
            return b"[" * draw.choice([10, 100_000])
        case 2:
            return b'{"q":' * draw.randint(1, 2000)
        case 3:
            name, more = (
                draw.choice(NAMES),
                draw.choice(["", '; filename="a.docx"', "; filename=../x"]),
            )
            part = f'--x\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'.encode()
            return part + draw.randbytes(50) + draw.choice([b"", b"\r\n--x--", b"\r\n--x\r\n"])
        case 10:
            return json.dumps({"q": mutated(draw, PAGE), **PAIR, "format": "html"}).encode()
        case 11 | 12:
            ending, content = draw.choice(DOCUMENTS)
            told = f'--x\r\nContent-Disposition: form-data; name="file"; filename="a.{ending}"\r\n'
            parts = "".join(
                f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{code}\r\n'
                for name, code in PAIR.items()
            )
            data = mutated_bytes(draw, content)
            return parts.encode() + told.encode() + b"\r\n" + data + b"\r\n--x--\r\n"
        case 4:
            return "&".join(f"{n}={draw.choice(['', 'en', '%ff', '%'])}" for n in NAMES).encode()
        case _:
            fields = {"q": "A dog runs.", "text": "A dog runs.", "source": "en", "target": "de"}
            for _ in range(draw.randint(0, 3)):
                fields[draw.choice(NAMES)] = value(draw)
            return json.dumps(fields).encode("utf-8", errors="surrogatepass")


def request(draw: random.Random) -> bytes:
    """The bytes of one, headers and all."""
    content = body(draw)
    if content.startswith(b"--x\r\n") and draw.random() < 0.9:  # a form that is sent as one
        return (
            b"POST /translate_file HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            b"Content-Type: multipart/form-data; boundary=x\r\n"
            + f"Content-Length: {len(content)}\r\n\r\n".encode()
            + content
        )
    length = draw.choice([len(content)] * 12 + [0, -1, 10**12, "x", len(content) + 5])
    headers = [f"Host: {draw.choice(['x', '', 'a' * 5000])}", f"Content-Type: {draw.choice(TYPES)}",
               f"Content-Length: {length}", "Connection: close"]  # fmt: skip
    if draw.random() < 0.2:
        headers.append(draw.choice(ODD))
    version = draw.choice(["HTTP/1.1"] * 9 + ["HTTP/9", ""])
    first = f"{draw.choice(METHODS)} {draw.choice(PATHS)} {version}"
    head = "\r\n".join([first, *headers]).encode("latin-1", errors="replace")
    return head + b"\r\n\r\n" + content

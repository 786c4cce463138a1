"""Files that are translated, and those that are not."""

from __future__ import annotations

import io
import json
import socket
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from heedful.translator import Translator

from ...proc import needs_proc
from ...trained import sentences
from ...waiting import wait_until
from ..served import Reply, Running, has_read, running
from ..test_guarded import batches
from .test_libretranslate import multipart

SENTENCE = sentences()[0][0]


def archive(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as written:
        for name, content in files.items():
            written.writestr(name, content)
    return out.getvalue()


def send(server: Running, name: str, data: bytes, **more: str) -> Reply:
    fields = {"source": "en", "target": "eo", **more}
    raw, kind = multipart({**fields, "file": (name, data)})
    return server.ask("/translate_file", raw=raw, headers=kind)


def fetch(server: Running, reply: Reply) -> bytes:
    assert reply.status == 200, reply.body
    return server.ask(reply.data["translatedFileUrl"].removeprefix(server.address)).body


@pytest.fixture(scope="module")
def strict(prose_run: Path) -> Iterator[Running]:
    limits = {
        "file": 50_000, "unpacked": 100_000, "file-characters": 2000, "tags": 100, "rate": 0,
    }  # fmt: skip
    with running(prose_run, *(word for n, v in limits.items() for word in (f"--{n}", v))) as found:
        yield found


def test_a_book(server: Running, prose: Translator) -> None:
    page = f"<html><body><h1>{SENTENCE}</h1><p>{SENTENCE}</p></body></html>"
    data = archive({"mimetype": b"application/epub+zip", "1.xhtml": page.encode(), "a.png": b"x"})
    with zipfile.ZipFile(io.BytesIO(fetch(server, send(server, "b.epub", data)))) as done:
        assert done.read("1.xhtml").decode() == page.replace(
            SENTENCE, prose.translate(SENTENCE).text
        )
        assert done.read("a.png") == b"x"


def test_a_file_has_its_glossary(server: Running) -> None:
    word = SENTENCE.split()[1]
    reply = send(server, "a.txt", SENTENCE.encode(), glossary=json.dumps({word: "Vorto"}))
    assert b"Vorto" in fetch(server, reply)
    reply = send(server, "a.txt", SENTENCE.encode(), keep=json.dumps([word, "[1]"]))
    assert word.encode() in fetch(server, reply)
    assert send(server, "a.txt", b"x", glossary="[1]").status == 400


def test_a_file_that_is_there_already_stays(server: Running) -> None:
    reply = send(server, "a.txt", SENTENCE.encode(), target="en")
    assert fetch(server, reply).decode() == SENTENCE


def test_a_language_is_guessed(server: Running, prose: Translator) -> None:
    reply = send(server, "a.txt", SENTENCE.encode(), source="auto")
    assert fetch(server, reply).decode() == prose.translate(SENTENCE).text


@pytest.mark.parametrize(
    ("name", "data", "more", "status", "told"),
    [
        ("a.exe", b"x", {}, 400, "are not translated"),
        ("a.docx", b"x", {"source": "xx"}, 400, "xx is not supported"),
        ("a.docx", b"x", {"source": "auto", "target": "xx"}, 400, "xx is not supported"),
        ("a.docx", b"x", {}, 400, "no docx file"),
        ("a.epub", archive({"1.html": b"x" * 9})[:-30], {}, 400, "no epub file"),
        ("a.txt", b"x" * 70_000, {}, 413, "too large"),
        ("a.epub", archive({"1.html": b" " * 100_001}), {}, 400, "unpacks to more"),
        ("a.epub", archive({"1.html": b"<b>" * 101}), {}, 400, "100 tags at most"),
        ("a.srt", b"<b>" * 101, {}, 400, "100 tags at most"),
        ("a.txt", b"x" * 2001, {}, 400, "2,000 characters of text at most"),
        ("a.epub", archive({"1.html": b"x", "../a": b"x"}), {}, 400, "outside of itself: '../a'"),
    ],
    ids=[
        "ending", "pair", "guessed pair", "no archive", "damaged", "size", "unpacked", "tags",
        "tags of subtitles", "characters", "outside",
    ],
)  # fmt: skip
def test_what_is_refused(
    strict: Running, name: str, data: bytes, more: dict[str, str], status: int, told: str
) -> None:
    reply = send(strict, name, data, **more)
    assert reply.status == status
    assert told in reply.data["error"]


def test_much_text_counts_as_many_requests(prose_run: Path) -> None:
    """Or files would be a way around the rate."""
    with running(prose_run, "--rate", 12, "--characters", 100) as server:
        assert send(server, "a.txt", b"a. " * 340).status == 200  # 1 and 10 more
        reply = send(server, "a.txt", b"a. " * 340)
        assert reply.status == 429
        assert int(reply.headers["retry-after"]) > 0


def test_files_at_a_time(prose_run: Path) -> None:
    with running(prose_run, "--files", 0) as server:
        reply = send(server, "a.txt", b"x")
        assert reply.status == 503
        assert int(reply.headers["retry-after"]) > 0


def test_reading_a_file_is_within_its_time(prose_run: Path) -> None:
    page = b"<p>x</p>" * 90_000
    with running(prose_run, "--deadline", 0.002) as server:
        assert send(server, "a.html", page).status == 413
        assert server.ask("/health").status == 200


@needs_proc
def test_whoever_leaves_behind_a_large_piece_is_missed(prose_run: Path) -> None:
    """A server that reads no more while it has much to read would not see it."""
    raw, kind = multipart({"source": "en", "target": "eo", "file": ("a.txt", b"x" * 900_000)})
    head = f"POST /translate_file HTTP/1.1\r\nHost: x\r\nContent-Length: {len(raw)}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in kind.items())
    with running(prose_run, "--files", 1, "--rate", 0) as server:
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(head.encode() + b"\r\n" + raw[:-200_000])
            wait_until(lambda: has_read(server, client))
            client.sendall(raw[-200_000:])
            wait_until(lambda: batches(server) > 0)
            assert send(server, "a.txt", b"x").status == 503
        wait_until(lambda: send(server, "a.txt", b"x").status == 200)


def test_a_client_that_leaves_gives_its_place_back(prose_run: Path) -> None:
    text = "\n".join(f"{SENTENCE} {n}." for n in range(9000)).encode()
    raw, kind = multipart({"source": "en", "target": "eo", "file": ("a.txt", text)})
    head = f"POST /translate_file HTTP/1.1\r\nHost: x\r\nContent-Length: {len(raw)}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in kind.items())
    with running(prose_run, "--files", 1, "--rate", 0) as server:
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(head.encode() + b"\r\n" + raw)
            wait_until(lambda: batches(server) > 0)
            assert send(server, "a.txt", b"x").status == 503
        wait_until(lambda: send(server, "a.txt", b"x").status == 200)


@pytest.mark.parametrize(
    "text", ["<![foo bar]>x", "<a " * 16_000, "<!--" * 12_000, "&#" + "9" * 6000]
)
def test_markup_of_any_kind_is_answered(server: Running, text: str) -> None:
    asked = {"q": text, "source": "en", "target": "eo", "format": "html"}
    assert server.ask("/translate", asked).status == 200

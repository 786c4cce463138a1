"""Keys, rates, limits and what an answer must not tell, on the real server."""

from __future__ import annotations

import io
import os
import shutil
import signal
import socket
import zipfile
from pathlib import Path

import pytest

from heedful.serve.guard.keys import Keys

from ..proc import needs_proc
from ..trained import sentences
from ..waiting import wait_until
from .http.test_libretranslate import multipart
from .served import Reply, Running, children, running

SENTENCE = sentences()[0][0]
ASKED = {"q": SENTENCE, "source": "en", "target": "eo"}
WATCHFUL = """
import sys
import heedful.serve.running as running
running.LOOK_EVERY = 0.2
renew = running.Server.renew
async def renew_and_log(self):
    is_well = await renew(self)
    print("looked", file=sys.stderr, flush=True)
    return is_well
running.Server.renew = renew_and_log
"""
"""For `running(first=...)`: looks for new versions often, and logs the end of each look."""


def test_keys_and_rates(prose_run: Path, tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    keys, secret = Keys([]).add("anna", rate=4)
    keys.write(file)
    with running(prose_run, "--keys", file, "--rate", 2) as server:
        assert server.ask("/translate", {**ASKED, "api_key": "wrong"}).status == 403
        assert [server.ask("/translate", ASKED).status for _ in range(2)] == [200, 429]
        assert server.ask("/translate", {**ASKED, "api_key": "wrong"}).status == 429
        own = [server.ask("/translate", {**ASKED, "api_key": secret}) for _ in range(5)]
        assert [reply.status for reply in own] == [200] * 4 + [429]
        assert int(own[-1].headers["retry-after"]) >= 1
        assert own[-1].headers["access-control-expose-headers"] == "Retry-After"
        assert server.ask("/frontend/settings").data["apiKeys"] is True
    with running(prose_run, "--keys", file, "--require-key") as server:
        assert server.ask("/translate", ASKED).status == 400
        assert server.ask("/translate", {**ASKED, "api_key": secret}).status == 200
        bearer = {"Authorization": f"Bearer {secret}"}
        assert server.ask("/translate", ASKED, headers=bearer).status == 200


def test_forwarded_addresses_count_only_when_told(prose_run: Path) -> None:
    for extra, wanted in ((), [200, 429]), (("--behind-proxy",), [200, 200]):
        with running(prose_run, "--rate", 1, *extra) as server:
            found = [
                server.ask("/translate", ASKED, headers={"X-Forwarded-For": f"9.9.9.9, 1.1.1.{n}"})
                for n in range(2)
            ]
            assert [reply.status for reply in found] == wanted


@pytest.mark.parametrize(("path", "raw"), [("/translate", b"{"), ("/download_file/x", None)])
def test_nonsense_is_not_free(prose_run: Path, path: str, raw: bytes | None) -> None:
    with running(prose_run, "--rate", 2) as server:
        statuses = [server.ask(path, raw=raw).status for _ in range(3)]
        assert statuses[0] in (400, 404)
        assert statuses == [statuses[0]] * 2 + [429]
        assert server.ask("/translate", ASKED).status == 429


def test_texts_of_those_who_are_not_let_in_are_not_logged(prose_run: Path, tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    Keys([]).write(file)
    with running(prose_run, "--keys", file, "--require-key", "--log-texts") as server:
        assert server.ask("/translate", ASKED).status == 400
        assert server.ask("/v1/translate", {**ASKED, "text": SENTENCE}).status == 400
        assert "heedful_characters_total 0.0" in server.ask("/metrics").body.decode()
    assert SENTENCE not in "".join(server.log)


def test_keys_are_watched_whatever_happens_to_them(prose_run: Path, tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    keys, first = Keys([]).add("anna", rate=0)
    keys.write(file)
    with running(prose_run, "--keys", file, "--watch", "--rate", 0, first=WATCHFUL) as server:

        def status(secret: str) -> int:
            return server.ask("/translate", {**ASKED, "api_key": secret}).status

        assert status(first) == 200
        file.write_text("[", encoding="utf-8")
        wait_until(lambda: "damaged" in "".join(server.log))
        file.unlink()
        wait_until(lambda: "cannot be read" in "".join(server.log))
        assert status(first) == 200  # those that were there still hold
        keys, second = Keys([]).add("ben", rate=0)
        keys.write(file)
        wait_until(lambda: status(second) == 200)
        assert status(first) == 403
    assert "".join(server.log).count("damaged") == 1  # it is not said again every time


def test_a_folder_that_is_moved_away_is_told_to_nobody(prose_run: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(prose_run, run)
    asked = {"text": SENTENCE, "source": "en", "target": "eo"}
    copies = tmp_path / "copies"
    copies.mkdir()
    options = {"first": WATCHFUL, "env": os.environ | {"TMPDIR": str(copies)}}
    with running(run, "--watch", "--rate", 0, **options) as server:
        for folder in run, copies:
            folder.rename(f"{folder}-away")
        wait_until(lambda: "the old version is served on" in "".join(server.log))
        replies = [
            server.ask("/v1/record", asked),
            server.ask("/v1/stream", asked),
            server.ask("/see/api/models"),
            server.ask("/see/api/attend", {"model": 0, "source": SENTENCE}),
        ]
        for reply in replies:
            assert str(tmp_path) not in reply.body.decode()
            assert b"internal error" in reply.body
        assert [reply.status for reply in replies] == [500, 200, 500, 500]
        assert server.translate(SENTENCE)  # what is loaded translates
        Path(f"{copies}-away").rename(copies)
        assert server.ask("/v1/record", asked).status == 200
    assert "".join(server.log).count("the old version is served on") == 1
    assert str(run) in "".join(server.log)


HOSTS = {
    "evil.example:5000": 403, "127.0.0.1.evil.example": 403, "localhost.evil.example": 403, "": 403,
    "localhost": 200, "LOCALHOST:80": 200, "127.0.0.1": 200, "127.9.9.9:5000": 200, "[::1]:80": 200,
}  # fmt: skip
"""A page may have its own name point to this machine: its requests are told by that name."""


def own_address() -> str:
    """One of this machine that is not the loopback, if it has any."""
    with socket.socket(type=socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def test_metrics(prose_run: Path, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("secret\n", encoding="utf-8")
    forwarded = {"X-Forwarded-For": "127.0.0.1"}
    with running(prose_run, "--behind-proxy", "--host", "0.0.0.0") as server:
        assert server.ask("/metrics").status == 200
        assert server.ask("/metrics", headers=forwarded).status == 403
        for name, status in HOSTS.items():
            assert server.ask("/metrics", headers={"Host": name}).status == status, name
        if own := own_address():
            assert server.ask("/metrics", host=own).status == 403
            assert server.ask("/health", host=own).status == 200
    with running(prose_run, "--metrics-key-file", token) as server:
        assert server.ask("/metrics").status == 403
        bearer = {"Authorization": "Bearer secret", "Host": "translate.example"}
        assert server.ask("/metrics", headers=bearer | forwarded).status == 200


def file_reply(server: Running, name: str, content: bytes, **headers: str) -> Reply:
    raw, kind = multipart({"file": (name, content), "source": "en", "target": "eo"})
    return server.ask("/translate_file", raw=raw, headers=kind | headers)


def test_sizes_of_files(prose_run: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"<a>" + b" " * 300_000 + b"</a>")
    assert len(packed.getvalue()) < 2000
    with running(prose_run, "--file", 50_000, "--unpacked", 200_000) as server:
        assert file_reply(server, "a.txt", b"a " * 40_000).status == 413
        reply = file_reply(server, "a.docx", packed.getvalue())
        assert reply.status in (400, 413)
        assert "unpacks to more" in reply.data["error"]
        assert file_reply(server, "a.txt", SENTENCE.encode()).status == 200


TOLD = {
    "X-Forwarded-Proto": "https", "X-Forwarded-Host": "a.example, mt.example:8443",
    "X-Forwarded-Prefix": "/mt/", "Host": "inside.example",
}  # fmt: skip


@pytest.mark.parametrize(
    ("words", "told", "begins"),
    [
        ((), TOLD, "http://inside.example/download_file/"),
        (("--behind-proxy",), TOLD, "https://mt.example:8443/mt/download_file/"),
        (("--behind-proxy",), {"Host": "mt.example"}, "http://mt.example/download_file/"),
        (
            ("--behind-proxy",),
            {"Host": "a b", "X-Forwarded-Host": "<", "X-Forwarded-Prefix": "//evil.example"},
            "http://127.0.0.1:",
        ),
    ],
)
def test_where_a_file_is_fetched(
    prose_run: Path, words: tuple[str, ...], told: dict[str, str], begins: str
) -> None:
    with running(prose_run, *words) as server:
        address = file_reply(server, "a.txt", SENTENCE.encode(), **told).data["translatedFileUrl"]
        assert address.startswith(begins)
        assert "evil" not in address


def waiting(server: Running) -> float:
    """Sentences in the queue."""
    return figure(server, "heedful_waiting_sentences")


def batches(server: Running) -> float:
    """That the engine was asked for."""
    return figure(server, "heedful_batch_sentences_count")


def figure(server: Running, name: str) -> float:
    """One that Prometheus is told."""
    text = server.ask("/metrics").body.decode()
    (line,) = [li for li in text.splitlines() if li.startswith(f"{name} ")]
    return float(line.split()[1])


@needs_proc
def test_whoever_leaves_frees_their_place(luong_run: Path) -> None:
    """By a model that only the worker knows, which can be stopped."""
    asked = {"text": [SENTENCE] * 60, "source": "en", "target": "eo"}
    with running(luong_run, "--rate", 0, "--queue", 100) as server:
        assert server.ask("/v1/translate", asked).status == 200
        (worker,) = children(server.process.pid)
        os.kill(worker, signal.SIGSTOP)
        try:
            for _ in range(3):  # the first's sentences are under way, those of the others wait
                with pytest.raises(TimeoutError):  # the worker is stopped: no answer can come
                    server.ask("/v1/translate", asked, timeout=1)
                wait_until(lambda: waiting(server) == 0.0)
        finally:
            os.kill(worker, signal.SIGCONT)
        assert server.ask("/v1/translate", asked).status == 200

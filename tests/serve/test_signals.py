"""What a server does when it is told to end, or to take up a new version, at whatever moment."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from heedful.translator import Translator

from ..proc import needs_proc
from ..trained import sentences, start
from ..waiting import wait_until
from .http.test_libretranslate import multipart
from .served import LOG_SENT, SENT, Reply, Running, children, has_read, is_listening, running
from .test_guarded import WATCHFUL, batches, waiting

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="machine: it has no such signals")
SENTENCE = sentences()[0][0]
LINES = [source for source, _ in sentences()[:40]]
PAIR = {"source": "en", "target": "eo"}
ASKED = {"text": SENTENCE, **PAIR}
IMPATIENT = "import heedful.serve.running as running\nrunning.GRACE = 1\n"
SWALLOWED = """
import os, signal, weakref
import heedful.serve.running as running
class Thing:
    pass
load = running.Server
def told_to_end(*arguments):
    thing = Thing()
    gone = weakref.ref(thing, lambda _: os.kill(os.getpid(), signal.SIGTERM))
    del thing
    return load(*arguments)
running.Server = told_to_end
"""
UNHURRIED = "import heedful.serve.http.connection as c\nc.LAST_SECONDS = 600\n"
"""A request that is half sent when the server is told to end may take its time."""
SLOW = """
import os, sys, time
from heedful.serve.models import Models
load, quick, gate = Models._load, {quick}, {gate!r}
def slow(self, *about):
    global quick
    loaded = load(self, *about)
    print("loaded", file=sys.stderr, flush=True)
    quick -= 1
    while quick < 0 and not os.path.exists(gate):
        time.sleep(0.02)
    return loaded
Models._load = slow
"""
"""After so many quick ones, models are loaded only when a file, the gate, exists."""
NEVER = "/no such file"


def rewritten(run: Path, **decoding: object) -> None:
    """The same weights, to be searched otherwise."""
    card = json.loads((run / "config.json").read_text(encoding="utf-8"))
    card["decoding"] |= decoding
    (run / "config.json").write_text(json.dumps(card), encoding="utf-8")


@pytest.fixture
def own_run(prose_run: Path, tmp_path: Path) -> Path:
    """One that may be changed."""
    shutil.copytree(prose_run, tmp_path / "run")
    return tmp_path / "run"


def test_told_to_end_it_finishes_what_it_has(prose_run: Path, prose: Translator) -> None:
    done: list[float] = []
    with running(prose_run, "--rate", 0) as server:

        def ask() -> object:
            found = server.translate(LINES * 5)
            done.append(time.monotonic())
            return found

        with ThreadPoolExecutor(8) as pool:
            asked = [pool.submit(ask) for _ in range(8)]
            wait_until(lambda: waiting(server) > 100)
            told = time.monotonic()
            code = server.stop()
            expected = [t.text for t in prose.translate(LINES)] * 5
            assert all(one.result(timeout=60) == expected for one in asked)
        assert code == 0
        assert max(done) > told  # some were not answered yet
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.1", server.port), timeout=60)


def test_what_takes_too_long_is_not_waited_for(prose_run: Path, tmp_path: Path) -> None:
    """Nor is its worker, which hangs."""
    options = {"first": IMPATIENT + LOG_SENT, "env": os.environ | {"TMPDIR": str(tmp_path)}}
    with running(prose_run, "--rate", 0, "--deadline", 600, **options) as server:
        assert server.ask("/v1/record", ASKED).status == 200
        (worker,) = children(server.process.pid)
        os.kill(worker, signal.SIGSTOP)
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(server.ask, "/v1/record", ASKED)
            wait_until(lambda: server.log.count(SENT) == 2)
            assert server.stop() == 0
            assert asked.exception(timeout=60) or asked.result().status >= 500
    assert not Path(f"/proc/{worker}").exists()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["/v1/stream", "/v1/record"])
def test_whoever_is_cut_is_told(prose_run: Path, path: str) -> None:
    """A stream by an event, as of all its faults. The log has a line of it."""
    with running(prose_run, "--rate", 0, first=IMPATIENT + LOG_SENT) as server:
        assert server.ask(path, ASKED).status == 200
        (worker,) = children(server.process.pid)
        os.kill(worker, signal.SIGSTOP)
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(server.ask, path, ASKED)
            wait_until(lambda: server.log.count(SENT) == 2)
            assert server.stop() == 0
            reply = asked.result(timeout=60)
    if path == "/v1/stream":
        assert reply.status == 200
        *_, last = reply.body.decode().strip().split("\n\n")
        assert last.startswith("event: error\ndata: ")
        assert "the server ends" in last
    else:
        assert reply.status == 503
        assert "the server ends" in reply.data["error"]
        assert reply.headers["retry-after"] == "1"
    told = [line for line in server.log[2:] if line != SENT]
    assert told == ["requests cut that were not done within 1 seconds: 1\n"]


@needs_proc
def test_a_file_that_nobody_could_fetch_is_not_waited_for(prose_run: Path) -> None:
    """Nor is one that is still on its way."""
    with running(prose_run, "--rate", 0, first=UNHURRIED) as server:

        def translate_file(text: str) -> Reply:
            raw, kind = multipart({**PAIR, "file": ("a.txt", text.encode())})
            return server.ask("/translate_file", raw=raw, headers=kind)

        with (
            ThreadPoolExecutor(1) as pool,
            socket.create_connection(("127.0.0.1", server.port), 60) as late,
        ):
            raw, kind = multipart({**PAIR, "file": ("b.txt", SENTENCE.encode())})
            head = f"POST /translate_file HTTP/1.1\r\nHost: x\r\nContent-Length: {len(raw)}\r\n"
            late.sendall(f"{head}Content-Type: {kind['Content-Type']}\r\n\r\n".encode() + raw[:50])
            wait_until(lambda: has_read(server, late))
            asked = pool.submit(translate_file, "\n".join(LINES * 500))
            wait_until(lambda: batches(server) > 0)
            server.process.send_signal(signal.SIGTERM)
            reply = asked.result(timeout=60)
            late.sendall(raw[50:])
            of_late = b"".join(iter(lambda: late.recv(1000), b""))
        assert server.process.wait(timeout=60) == 0
    assert reply.status == 503
    assert "the server ends" in reply.data["error"]
    assert reply.headers["retry-after"] == "1"
    assert of_late.startswith(b"HTTP/1.1 503")
    assert server.log[2:] == ["files cut that nobody could have fetched: 1\n"]


@needs_proc
def test_whoever_has_just_come_is_answered(prose_run: Path) -> None:
    """And not let in to ask more."""
    request = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
    with (
        running(prose_run, first=UNHURRIED) as server,
        socket.create_connection(("127.0.0.1", server.port), 60) as one,
    ):
        wait_until(lambda: has_read(server, one))
        server.process.send_signal(signal.SIGTERM)
        wait_until(lambda: not is_listening(server))
        one.sendall(request)
        answer = b"".join(iter(lambda: one.recv(1000), b""))  # until it is closed
        assert answer.startswith(b"HTTP/1.1 200")
        assert b"connection: close" in answer
        assert server.process.wait(timeout=60) == 0


@needs_proc
def test_half_a_request_may_be_ended_on_a_kept_connection_too(prose_run: Path) -> None:
    request = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
    with (
        running(prose_run, first=UNHURRIED) as server,
        socket.create_connection(("127.0.0.1", server.port), 60) as one,
    ):
        one.sendall(request)
        assert one.recv(1000).startswith(b"HTTP/1.1 200")
        one.sendall(request[:20])
        wait_until(lambda: has_read(server, one))
        server.process.send_signal(signal.SIGTERM)
        wait_until(lambda: not is_listening(server))
        one.sendall(request[20:])
        answer = b"".join(iter(lambda: one.recv(1000), b""))
        assert answer.startswith(b"HTTP/1.1 200")
        assert b"connection: close" in answer
        assert server.process.wait(timeout=60) == 0


def test_told_to_end_while_a_version_is_taken_up(own_run: Path, tmp_path: Path) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    options = {
        "first": SLOW.format(quick=1, gate=NEVER),
        "env": os.environ | {"TMPDIR": str(copies)},
    }
    with running(own_run, "--rate", 0, **options) as server:
        rewritten(own_run, beam=2)
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: "".join(server.log).count("loaded") == 2)
        assert server.translate(SENTENCE)
        assert server.stop() == 0
    assert list(copies.iterdir()) == []


def test_a_new_version_while_it_starts(own_run: Path, tmp_path: Path) -> None:
    """It is taken up when the first is loaded; the server does not end of it."""
    gate = tmp_path / "gate"
    slow = SLOW.format(quick=0, gate=str(gate))
    process = start("serve", own_run, "--port", 0, "--threads", 1, first=slow)
    assert process.stderr is not None
    with process:
        assert "loaded" in process.stderr.readline()
        rewritten(own_run, beam=2)
        process.send_signal(signal.SIGHUP)
        gate.touch()
        told = [process.stderr.readline() for _ in range(5)]
        process.send_signal(signal.SIGTERM)
        assert "looking for new versions" in told[0], told
        assert "http://" in told[2], told
        assert "the new version is served" in told[4], told
        assert process.wait(timeout=60) == 0


def wait_for_looks(server: Running, n: int) -> None:
    """Wait until a server that is WATCHFUL has looked for new versions so many times more."""
    before = server.log.count("looked\n")
    wait_until(lambda: server.log.count("looked\n") >= before + n)


def overwrite_end(path: Path, end: bytes) -> None:
    """Write at once, in place: the server must not meet half of it."""
    with path.open("r+b", buffering=0) as file:
        file.seek(-len(end), os.SEEK_END)
        file.write(end)


@pytest.mark.parametrize("by_signal", [False, True])
def test_weights_that_are_damaged_in_place_are_told_once(own_run: Path, by_signal: bool) -> None:
    weights = own_run / "model.safetensors"
    last = weights.read_bytes()[-4:]
    told = f"the old version is served on: {weights} has changed"
    with running(
        own_run, "--rate", 0, *() if by_signal else ("--watch",), first=WATCHFUL
    ) as server:

        def looked() -> str:
            if by_signal:
                server.process.send_signal(signal.SIGHUP)
            wait_for_looks(server, 1 if by_signal else 2)  # one may have begun before
            return "".join(server.log)

        before = server.translate(SENTENCE)
        assert "served on" not in looked()
        overwrite_end(weights, b"\0\1\2\3")  # of the same size
        assert looked().count(told) == looked().count(told) == 1
        assert server.translate(SENTENCE) == before
        overwrite_end(weights, last)
        assert looked().count("served on") == 1
        os.truncate(weights, weights.stat().st_size - 4)
        assert looked().count(told) == 2
        weights.unlink()
        assert "model.safetensors is missing" in looked()


def test_told_to_end_while_it_starts(prose_run: Path, tmp_path: Path) -> None:
    slow, env = SLOW.format(quick=0, gate=NEVER), os.environ | {"TMPDIR": str(tmp_path)}
    process = start("serve", prose_run, "--port", 0, first=slow, env=env)
    assert process.stderr is not None
    with process:
        assert "loaded" in process.stderr.readline()
        assert len(list(tmp_path.iterdir())) == 1
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0
    assert list(tmp_path.iterdir()) == []


def test_an_early_end_that_python_swallows_is_not_lost(prose_run: Path) -> None:
    """What is raised where an object is let go is only told; so it goes in imports, too."""
    process = start("serve", prose_run, "--port", 0, first=SWALLOWED)
    assert process.stderr is not None
    with process:
        try:
            assert process.wait(timeout=60) == 0
        finally:
            process.kill()
        assert "SystemExit" in process.stderr.read()


def test_other_settings_are_a_new_version(own_run: Path) -> None:
    """--watch finds them by itself. The weights are the same."""
    with running(own_run, "--rate", 0, "--watch", first=WATCHFUL) as server:
        asked = ASKED | {"alternatives": 3}

        def score() -> object:
            return server.ask("/v1/translate", asked).data["score"]

        before = score()
        assert server.ask("/v1/record", ASKED).status == 200
        wait_for_looks(server, 2)
        assert "the new version" not in "".join(server.log)
        rewritten(own_run, alpha=0.0)
        wait_until(lambda: "the new version is served" in "".join(server.log))
        assert score() != before
        assert server.ask("/v1/record", ASKED).status == 200

"""A server's life: overload, killed workers, new versions, and its end."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

import heedful
from heedful.serve.http.connection import Connection
from heedful.serve.http.crowd import Crowd
from heedful.serve.running import Uvicorn, _on_signal, loop_factory
from heedful.translator import Translator

from ..proc import needs_proc
from ..trained import TINY, Command, Text, is_told_briefly, sentences
from ..waiting import wait_until
from .served import LOG_SENT, SENT, Running, children, running

SENTENCE = sentences()[0][0]
LINES = [source for source, _ in sentences()[:40]]
CLIENTS = 4  # that ask while a new version is taken up


def test_answers_do_not_depend_on_who_else_is_asking(server: Running, prose: Translator) -> None:
    expected = [t.text for t in prose.translate(LINES)]
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(server.translate, LINES)) == expected
    assert server.translate(LINES) == expected


@needs_proc
def test_a_worker_that_dies_costs_one_answer(prose_run: Path) -> None:
    asked = {"text": SENTENCE, "source": "en", "target": "eo"}
    with running(prose_run, "--rate", 0, first=LOG_SENT) as server:
        assert server.ask("/v1/record", asked).status == 200
        (worker,) = children(server.process.pid)
        os.kill(worker, signal.SIGSTOP)  # it holds the question
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(server.ask, "/v1/record", asked)
            wait_until(lambda: server.log.count(SENT) == 2)
            os.kill(worker, signal.SIGKILL)
            reply = waiting.result(timeout=60)
        assert reply.status == 500
        assert set(reply.data) == {"error"}
        assert server.ask("/v1/record", asked).status == 200
        assert children(server.process.pid) != [worker]


@pytest.mark.skipif(sys.platform != "linux", reason="machine: 127.0.0.2 is no address of it")
def test_nobody_else_is_listened_to(prose_run: Path) -> None:
    with running(prose_run) as server, pytest.raises(ConnectionRefusedError):
        server.ask("/health", host="127.0.0.2")


@needs_proc
def test_overload_is_told_at_once(luong_run: Path) -> None:
    """By a model that only the worker knows: while that is stopped, no text can be translated."""
    with running(luong_run, "--rate", 0, "--queue", 4) as server:
        assert server.translate(SENTENCE)
        (worker,) = children(server.process.pid)
        asked = {"q": LINES * 4, "source": "en", "target": "eo"}
        with ThreadPoolExecutor(12) as pool:
            os.kill(worker, signal.SIGSTOP)
            try:
                waiting = [pool.submit(server.ask, "/translate", asked) for _ in range(12)]
                wait_until(lambda: any(one.done() for one in waiting))
                assert {one.result().status for one in waiting if one.done()} == {503}
            finally:
                os.kill(worker, signal.SIGCONT)
            replies = [one.result() for one in waiting]
        assert {reply.status for reply in replies} == {200, 503}
        for reply in replies:
            if reply.status == 503:
                assert int(reply.headers["retry-after"]) >= 1
        assert server.translate(SENTENCE)  # there is room again


def test_a_deadline(prose_run: Path) -> None:
    with running(prose_run, "--rate", 0, "--deadline", 0.05) as server:
        reply = server.ask("/translate", {"q": LINES * 5, "source": "en", "target": "eo"})
        assert reply.status == 413
        assert "0.05 seconds" in reply.data["error"]
        assert "retry-after" not in reply.headers  # the same would take as long again


def test_a_new_version_is_taken_up_without_dropping_a_request(
    prose_run: Path, prose_text: Text, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    shutil.copytree(prose_run, run)
    newer = tmp_path / "newer"
    heedful.train(out=newer, **prose_text.options, source_lang="en", target_lang="eo", steps=3,
                  threads=1, set=(*TINY, "training.seed=5"), quiet=True)  # fmt: skip
    before, after = (heedful.load(p, threads=1).translate(SENTENCE).text for p in (run, newer))
    assert before != after
    by_engine: list[list[str]] = [[] for _ in range(CLIENTS)]
    by_worker: list[list[str]] = [[] for _ in range(CLIENTS)]
    asked = {"text": SENTENCE, "source": "en", "target": "eo"}
    with running(run, "--rate", 0) as server:
        over = threading.Event()

        def ask_on(number: int) -> None:
            while not over.is_set():
                by_engine[number].append(server.translate(SENTENCE))
                by_worker[number].append(server.ask("/v1/record", asked).data["target"])

        asking = [threading.Thread(target=ask_on, args=(n,)) for n in range(CLIENTS)]
        for client in asking:
            client.start()
        try:
            wait_until(lambda: all(by_worker), patience=300)  # they have met the old version
            for name in ("model.safetensors", "tokenizer.model", "config.json"):
                shutil.copy(newer / name, run / name)
            server.process.send_signal(signal.SIGHUP)
            wait_until(lambda: all(after in some[-1:] for some in by_worker), patience=300)
        finally:
            over.set()
            for client in asking:
                client.join()
    for some in (*by_engine, *by_worker):
        assert set(some) == {before, after}
        assert some == sorted(some, key=lambda text: text == after)


def test_signals_where_loops_know_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows."""

    async def scene() -> None:
        loop, came = asyncio.get_running_loop(), asyncio.Event()

        def refuse(*_: object) -> None:
            raise NotImplementedError

        monkeypatch.setattr(loop, "add_signal_handler", refuse)
        _on_signal(signal.SIGUSR1, came.set)
        os.kill(os.getpid(), signal.SIGUSR1)
        await asyncio.wait_for(came.wait(), 60)

    before = signal.getsignal(signal.SIGUSR1)
    try:
        asyncio.run(scene())
    finally:
        signal.signal(signal.SIGUSR1, before)


def _all_of(client: socket.socket) -> bytes:
    with client:
        return b"".join(iter(partial(client.recv, 1000), b""))


def test_whoever_waits_to_be_let_in_when_listening_ends() -> None:
    """The system has connected them, the loop does not know of them yet."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("well")(scope, receive, send)

    async def scene() -> list[bytes]:
        crowd = partial(Connection, crowd=Crowd(100, 100))
        config = uvicorn.Config(app, http=crowd, lifespan="off")  # type: ignore[arg-type]  # it is only called
        config.load()
        web = Uvicorn(config)
        web.lifespan = config.lifespan_class(config)
        with socket.create_server(("127.0.0.1", 0)) as listening:
            await web.startup(sockets=[listening])
            clients = [socket.create_connection(listening.getsockname(), 60) for _ in range(3)]
            for client in clients:
                client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await web.shutdown(sockets=[listening])
        return list(map(_all_of, clients))

    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        answers = runner.run(scene())
    assert [answer[-4:] for answer in answers] == [b"well"] * 3


def test_texts_stay_out_of_the_log(prose_run: Path) -> None:
    with running(prose_run) as server:
        server.translate(SENTENCE)
        server.ask("/translate", {"q": 5})
        parts = {"Content-Type": "multipart/form-data; boundary=x"}
        assert server.ask("/translate", {"q": SENTENCE}, headers=parts).status == 400
    assert len(server.log) == 2, server.log  # its model, its address
    with running(prose_run, "--log-texts") as server:
        server.translate(SENTENCE)
    assert SENTENCE in "".join(server.log)


def test_a_name_in_place_of_the_runs_own_is_told(prose_run: Path, chars_run: Path) -> None:
    """chars_run has none of its own."""

    def told(*names: str) -> list[str]:
        words = [word for name in names for word in ("--name", name)]
        with running(prose_run, chars_run, *words) as server:
            return [line for line in server.log if "--name" in line]

    assert told("en-eo", "xx-yy") == told("xx-yy") == []
    (line,) = told("en-de", "xx-yy")
    assert line == f"{prose_run}: --name has it translate en to de, in place of its own en to eo\n"


def test_a_model_that_only_torch_knows(luong_run: Path) -> None:
    expected = [t.text for t in heedful.load(luong_run, threads=1).translate(LINES[:5])]
    with running(luong_run) as server:
        assert server.translate(LINES[:5]) == expected


def test_numbers_that_torch_does_not_know_are_told(luong_run: Path) -> None:
    with running(luong_run, "--quantize", "int8") as server:
        assert server.translate(SENTENCE)
    (line,) = [line for line in server.log if "--quantize" in line]
    assert line.startswith(f"{luong_run}: without --quantize, which torch does not know: ")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "a run to serve is wanted"),
        (["nowhere"], "is not there"),
        (["FILE"], "is a file: a folder that `heedful train` made is wanted"),
        (["RUN", "COPY"], "both translate en to eo"),
        (["CHARS"], "--name en-de"),
        (["CHARS", "--name", "english"], "two codes"),
        (["RUN", "--name", "en-de", "--name", "de-en"], "2 --name"),
        (["RUN", "--port", "PORT"], "cannot be listened on"),
        (["RUN", "--port", "70000"], "cannot be listened on"),
        (["RUN", "--host", "no such host"], "cannot be listened on"),
        (["RUN", "--keys", "nowhere"], "cannot be read"),
        (["RUN", "--metrics-key-file", "nowhere"], "cannot be read"),
        (["RUN", "--require-key"], "give the file of keys"),
        (["RUN", "--metrics-key", ""], "--metrics-key is empty"),
        (["RUN", "--beam", "33"], "--beam 33: from 1 to 32"),
        (["RUN", "--beam", "0"], "--beam 0: from 1 to 32"),
        (["RUN", "--queue", "0"], "1 or more"),
        (["RUN", "--file-characters", "-1"], "--file-characters -1: 1 or more"),
        (["RUN", "--tags", "-1"], "0 or more"),
        (["RUN", "--files", "-1"], "0 or more"),
        (["RUN", "--connections-per-address", "-1"], "0 or more"),
        (["RUN", "--deadline", "0"], "some seconds"),
    ],
)
def test_what_cannot_be_served_is_told(
    words: list[str], told: str, prose_run: Path, chars_run: Path, tmp_path: Path,
    command: Command, server: Running,
) -> None:  # fmt: skip
    copy = tmp_path / "copy"
    if "COPY" in words:
        shutil.copytree(prose_run, copy)
    places = {"RUN": prose_run, "COPY": copy, "CHARS": chars_run, "PORT": server.port}
    places["FILE"] = prose_run / "config.json"
    port = [] if "--port" in words else ["--port", 0]
    answer = command("serve", *(places.get(word, word) for word in words), *port)
    assert is_told_briefly(answer)
    assert told in answer.err


def test_the_log_has_no_line_for_each_text(prose_run: Path) -> None:
    with running(prose_run, "--rate", 0) as server:
        server.ask("/translate", {"q": LINES, "source": "auto", "target": "eo"})
        assert server.ask("/detect", {"q": " ".join(LINES)}).status == 200
    assert len(server.log) < 5, server.log

"""What is asked of the worker: not too much at a time, and never for ever."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from heedful.serve.worker.client import MOST_ASKED

from ...proc import needs_proc
from ...trained import sentences
from ..http.test_v1 import events
from ..served import Running, children, running
from ..test_guarded import soon

pytestmark = needs_proc
SENTENCE = sentences()[0][0]
ASKED = {"text": SENTENCE, "source": "en", "target": "eo"}
DIED = "/v1/stream failed: WorkerDied: it ended with -9\n"


@pytest.fixture
def hurried(prose_run: Path) -> Iterator[Running]:
    """With a worker, and little time."""
    with running(prose_run, "--rate", 0, "--deadline", 4) as server:
        while server.ask("/v1/record", ASKED).status != 200:  # it may take its time to start
            pass
        yield server


def test_a_stream_whose_worker_dies(hurried: Running) -> None:
    (worker,) = children(hurried.process.pid)
    os.kill(worker, signal.SIGSTOP)
    threading.Timer(1, os.kill, (worker, signal.SIGKILL)).start()
    assert events(hurried, ASKED) == [("error", {"error": "internal error"})]
    assert soon(DIED, lambda: hurried.log[-1])
    while (found := events(hurried, ASKED))[-1][0] != "done":  # a new one starts
        assert "4 seconds" in found[-1][1]["error"]


def test_a_stream_whose_worker_dies_in_the_middle(hurried: Running) -> None:
    """What came before stays; the last event says that it is not all."""
    (worker,) = children(hurried.process.pid)
    asked = json.dumps(ASKED | {"text": "\n".join([SENTENCE] * 200)})
    connection = http.client.HTTPConnection("127.0.0.1", hurried.port, timeout=60)
    connection.request("POST", "/v1/stream", asked, {"Content-Type": "application/json"})
    with connection.getresponse() as answer:
        assert answer.readline() == b"event: piece\n"
        os.kill(worker, signal.SIGKILL)
        *_, name, data, end = answer.read().decode().splitlines()
    connection.close()
    assert (name, data, end) == ("event: error", 'data: {"error": "internal error"}', "")
    assert soon(1, lambda: hurried.log.count(DIED))
    assert "Traceback" not in "".join(hurried.log)


def test_nothing_is_waited_for_for_ever(hurried: Running) -> None:
    (worker,) = children(hurried.process.pid)
    os.kill(worker, signal.SIGSTOP)
    try:
        started = time.monotonic()
        with ThreadPoolExecutor(3) as pool:
            stream = pool.submit(events, hurried, ASKED)
            record = pool.submit(hurried.ask, "/v1/record", ASKED)
            models = pool.submit(hurried.ask, "/see/api/models")
        ((name, told),) = stream.result()
        assert name == "error"
        assert "4 seconds" in told["error"]
        assert record.result().status == models.result().status == 413
        assert time.monotonic() - started < 12
    finally:
        os.kill(worker, signal.SIGCONT)
    assert events(hurried, ASKED)[-1][0] == "done"


def test_too_many_are_told_at_once(prose_run: Path) -> None:
    see = {"model": 0, "source": SENTENCE}
    with running(prose_run, "--rate", 0) as server, ThreadPoolExecutor(MOST_ASKED) as pool:
        assert server.ask("/v1/record", ASKED).status == 200
        (worker,) = children(server.process.pid)
        os.kill(worker, signal.SIGSTOP)
        try:
            waiting = [pool.submit(server.ask, "/v1/record", ASKED) for _ in range(MOST_ASKED)]
            time.sleep(2)
            started = time.monotonic()
            replies = [
                server.ask("/v1/record", ASKED),
                server.ask("/v1/stream", ASKED),
                server.ask("/see/api/attend", see),
                server.ask("/see/api/models"),
            ]
            assert time.monotonic() - started < 5
        finally:
            os.kill(worker, signal.SIGCONT)
        assert [reply.status for reply in replies] == [503] * 4
        assert all(int(reply.headers["retry-after"]) >= 1 for reply in replies)
        assert {one.result().status for one in waiting} == {200}
        assert server.ask("/v1/record", ASKED).status == 200


def test_each_stream_has_a_place_until_it_ends(prose_run: Path) -> None:
    """However many come at once, and between its sentences too."""
    asked = json.dumps(ASKED | {"text": "\n".join([SENTENCE] * 3)}).encode()
    head = (
        b"POST /v1/stream HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n"
    )
    with running(prose_run, "--rate", 0, "--connections-per-address", 0) as server:
        assert events(server, ASKED)[-1][0] == "done"
        (worker,) = children(server.process.pid)
        os.kill(worker, signal.SIGSTOP)
        try:
            burst = [
                socket.create_connection(("127.0.0.1", server.port), timeout=60)
                for _ in range(2 * MOST_ASKED)
            ]
            for one in burst:
                one.sendall(head % len(asked) + asked)
            time.sleep(2)
        finally:
            os.kill(worker, signal.SIGCONT)
        statuses = [one.recv(12)[-3:] for one in burst]
        assert sorted(statuses) == [b"200"] * MOST_ASKED + [b"503"] * MOST_ASKED
        for one in burst:  # some leave in the middle: their places are free again
            one.close()
        assert soon(200, lambda: server.ask("/v1/stream", ASKED).status)

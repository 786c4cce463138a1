"""What is asked of the worker: not too much at a time, and never for ever."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from heedful.serve.worker.client import MOST_ASKED

from ...proc import needs_proc
from ...trained import sentences
from ...waiting import wait_until
from ..http.test_v1 import events
from ..served import LOG_SENT, SENT, Running, children, running

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


@pytest.fixture
def logging_sent(prose_run: Path) -> Iterator[Running]:
    """With a worker, and a log line for each question to it: one so far."""
    with running(prose_run, "--rate", 0, "--deadline", 600, first=LOG_SENT) as server:
        assert server.ask("/v1/record", ASKED).status == 200
        yield server


def test_a_stream_whose_worker_dies(logging_sent: Running) -> None:
    (worker,) = children(logging_sent.process.pid)
    os.kill(worker, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(events, logging_sent, ASKED)
        wait_until(lambda: logging_sent.log.count(SENT) == 2)
        os.kill(worker, signal.SIGKILL)
    assert found.result() == [("error", {"error": "internal error"})]
    wait_until(lambda: logging_sent.log[-1] == DIED)
    assert events(logging_sent, ASKED)[-1][0] == "done"  # a new one starts


def test_a_stream_whose_worker_dies_in_the_middle(logging_sent: Running) -> None:
    """What came before stays; the last event says that it is not all."""
    (worker,) = children(logging_sent.process.pid)
    asked = json.dumps(ASKED | {"text": "\n".join([SENTENCE] * 200)})
    connection = http.client.HTTPConnection("127.0.0.1", logging_sent.port, timeout=60)
    connection.request("POST", "/v1/stream", asked, {"Content-Type": "application/json"})
    with connection.getresponse() as answer:
        assert answer.readline() == b"event: piece\n"
        os.kill(worker, signal.SIGKILL)
        *_, name, data, end = answer.read().decode().splitlines()
    connection.close()
    assert (name, data, end) == ("event: error", 'data: {"error": "internal error"}', "")
    wait_until(lambda: logging_sent.log.count(DIED) == 1)
    assert "Traceback" not in "".join(logging_sent.log)


def test_nothing_is_waited_for_for_ever(hurried: Running) -> None:
    (worker,) = children(hurried.process.pid)
    os.kill(worker, signal.SIGSTOP)
    try:
        with ThreadPoolExecutor(3) as pool:
            stream = pool.submit(events, hurried, ASKED)
            record = pool.submit(hurried.ask, "/v1/record", ASKED)
            models = pool.submit(hurried.ask, "/see/api/models")
        ((name, told),) = stream.result()
        assert name == "error"
        assert "4 seconds" in told["error"]
        assert record.result().status == models.result().status == 413
    finally:
        os.kill(worker, signal.SIGCONT)
    wait_until(lambda: events(hurried, ASKED)[-1][0] == "done")


def test_too_many_are_told_at_once(logging_sent: Running) -> None:
    see = {"model": 0, "source": SENTENCE}
    server = logging_sent
    with ThreadPoolExecutor(MOST_ASKED) as pool:
        (worker,) = children(server.process.pid)
        os.kill(worker, signal.SIGSTOP)
        try:
            waiting = [pool.submit(server.ask, "/v1/record", ASKED) for _ in range(MOST_ASKED)]
            wait_until(lambda: server.log.count(SENT) == 1 + MOST_ASKED)
            replies = [
                server.ask("/v1/record", ASKED),
                server.ask("/v1/stream", ASKED),
                server.ask("/see/api/attend", see),
                server.ask("/see/api/models"),
            ]
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
    refused = f'heedful_requests_total{{path="/v1/stream",status="503"}} {MOST_ASKED}.0\n'
    with running(
        prose_run, "--rate", 0, "--connections-per-address", 0, "--deadline", 600
    ) as server:
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
            wait_until(lambda: refused in server.ask("/metrics").body.decode())
        finally:
            os.kill(worker, signal.SIGCONT)
        statuses = [one.recv(12)[-3:] for one in burst]
        assert sorted(statuses) == [b"200"] * MOST_ASKED + [b"503"] * MOST_ASKED
        for one in burst:  # some leave in the middle: their places are free again
            one.close()
        wait_until(lambda: server.ask("/v1/stream", ASKED).status == 200)

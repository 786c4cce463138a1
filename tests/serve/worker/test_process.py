"""The worker's own process: it ends with whoever asks it, and with nobody else."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from heedful.serve.worker import frames
from heedful.serve.worker.process import Inbox

from ...waiting import wait_until

ASKED = {"do": "describe", "run": "nowhere", "name": "x"}
QUESTION = frames.pack({"id": 0, **ASKED})


@pytest.fixture
def worker() -> Iterator[subprocess.Popen[bytes]]:
    """One that has answered, and waits."""
    with subprocess.Popen(
        [sys.executable, "-m", "heedful.serve.worker.process", "1"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        answered(process)
        yield process
        process.kill()


def answered(process: subprocess.Popen[bytes], number: int = 0) -> None:
    """It knows no such run, and says so. Each question has a number of its own."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(frames.pack({"id": number, **ASKED}))
    process.stdin.flush()
    answer = frames.read(process.stdout)  # type: ignore[arg-type]  # it reads, and no more is asked
    assert answer is not None
    assert "failed" in answer


@pytest.mark.parametrize("cut", [2, frames.HEAD, frames.HEAD + 1, len(QUESTION) - 1])
def test_it_ends_if_its_server_dies_in_the_middle_of_a_question(
    worker: subprocess.Popen[bytes], cut: int
) -> None:
    assert worker.stdin is not None
    worker.stdin.write(QUESTION[:cut])
    worker.stdin.close()
    assert worker.wait(timeout=60) == 0


def test_what_is_no_question_ends_it(worker: subprocess.Popen[bytes]) -> None:
    """Rather than that it waits for ever."""
    assert worker.stdin is not None
    worker.stdin.write(b"\0\0\0\1{")
    worker.stdin.flush()
    assert worker.wait(timeout=60) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="machine: it has no such signals")
def test_signals_are_for_its_server(worker: subprocess.Popen[bytes]) -> None:
    """A terminal that is closed sends them to both; the server decides what becomes of it."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        worker.send_signal(number)
    answered(worker, number=1)


def test_nothing_is_remembered_of_what_is_answered() -> None:
    """A client may leave in the moment in which its answer is sent."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as stream, os.fdopen(writing, "wb", buffering=0) as server:
        inbox = Inbox(stream)
        for number in range(3):
            server.write(frames.pack({"id": number}))
            assert inbox.next() == {"id": number}
            assert not inbox.is_cancelled(number)
            inbox.forget(number)
            server.write(frames.pack({"cancel": number}))
        server.write(frames.pack({"id": 3}) + frames.pack({"cancel": 3}))
        wait_until(lambda: inbox.is_cancelled(3))
        assert not inbox._wanted
        server.close()
        assert inbox.next() == {"id": 3}
        assert inbox.next() is None


def test_what_is_passed_on_is_not_read() -> None:
    passed = b'{"no": JSON\n'
    frame = frames.pack({"id": 7, "result": passed})
    assert frames.read(io.BytesIO(frame)) == {"id": 7, "result": passed}
    told = {"id": 7, "result": [1, "a\nb"]}
    assert frames.read(io.BytesIO(frames.pack(told))) == told

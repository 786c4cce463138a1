"""The worker itself: reads questions, answers them one after the other, ends when nobody asks."""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, BinaryIO

from heedful.errors import InputError, RecipeError
from heedful.serve.worker import frames
from heedful.serve.worker.jobs import JOBS, Cancelled, Models


class Inbox:
    """Questions in the order in which they came, and which of them nobody wants any more."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._questions: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._wanted: set[int] = set()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            while (message := frames.read(self._stream)) is not None:
                if "cancel" in message:
                    self._wanted.discard(message["cancel"])  # which may be answered by now
                else:
                    self._wanted.add(message["id"])
                    self._questions.put(message)
        finally:  # whatever has come: without this nobody would tell the process to end
            self._questions.put(None)

    def next(self) -> dict[str, Any] | None:
        """Waits; None when there will be no more."""
        return self._questions.get()

    def is_cancelled(self, number: int) -> bool:
        """Whether an answer would be of use to nobody."""
        return number not in self._wanted

    def forget(self, number: int) -> None:
        """It is answered."""
        self._wanted.discard(number)


def work(inbox: Inbox, send: Callable[[dict[str, Any]], None], threads: int | None) -> None:
    """Until there are no more questions."""
    models = Models(threads)
    while (question := inbox.next()) is not None:
        number = question["id"]

        def tell(part: Any, number: int = number) -> None:
            """A piece of an answer; also the moment to notice that nobody waits for it."""
            if inbox.is_cancelled(number):
                raise Cancelled
            if part is not None:
                send({"id": number, "part": part})

        try:
            tell(None)
            result = JOBS[question["do"]](models, question, tell)
            send({"id": number, "result": result})
        except Cancelled:
            send({"id": number, "result": None})
        except (InputError, RecipeError) as error:
            send({"id": number, "refused": str(error)})
        except Exception as error:  # the server answers for it; the next question is another one
            send({"id": number, "failed": f"{type(error).__name__}: {error}"})
        inbox.forget(number)


def main() -> None:
    """`python -m heedful.serve.worker.process THREADS`."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # the server says when to end: it closes our input
        if number := getattr(signal, name, None):  # Windows has not all of them
            signal.signal(number, signal.SIG_IGN)
    if sys.platform != "win32":
        os.nice(10)  # what the fast engine does goes before what we do
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints, prints there

    def send(message: dict[str, Any]) -> None:
        answers.write(frames.pack(message))
        answers.flush()

    threads = int(sys.argv[1]) or None
    try:
        work(Inbox(sys.stdin.buffer), send, threads)
    except BrokenPipeError:  # the server has gone
        os._exit(0)


if __name__ == "__main__":
    main()

"""The server's side of the worker: started when it is first needed, again if it has died."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

from heedful.engines.engine import Task
from heedful.errors import InputError
from heedful.serve.lanes import Answers
from heedful.serve.refused import busy
from heedful.serve.snapshot import Snapshot
from heedful.serve.worker import frames

MOST_ASKED = 64  # records, streams and the like that wait or are under way
Inbox = asyncio.Queue[dict[str, Any]]


class WorkerDied(Exception):  # noqa: N818 - an event
    """The worker ended before it answered."""


class WorkerFailed(Exception):  # noqa: N818 - an event
    """The worker met a fault of ours."""


class Worker:
    """One process at most."""

    def __init__(self, threads: int | None) -> None:
        self._threads = threads
        self._numbers = itertools.count()
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._places_taken = 0
        self._open: dict[int, tuple[asyncio.subprocess.Process, Inbox]] = {}

    @contextlib.contextmanager
    def place(self) -> Iterator[None]:
        """For whoever asks it anything but a search, from the first word to the last; searches have
        a queue of their own before them. Refused if all are taken."""
        if self._places_taken >= MOST_ASKED:
            raise busy(0.2 * self._places_taken)
        self._places_taken += 1
        try:
            yield
        finally:
            self._places_taken -= 1

    async def search(self, model: Snapshot, task: Task) -> Answers:
        """By torch."""
        data = await self.ask("search", model, task=frames.task_to_data(task))
        return frames.answers_from_data(data)

    async def ask(self, do: str, model: Snapshot, **question: Any) -> Any:
        """The whole answer; bytes, if it is JSON for somebody else."""
        async for message in self._messages(do, model, question):
            if "result" in message:
                return message["result"]
        raise AssertionError("a question has an end")

    async def stream(self, model: Snapshot, task: Task) -> AsyncIterator[list[int] | Answers]:
        """Ids that are certain, as they become so; at last the hypotheses."""
        async for message in self._messages("stream", model, {"task": frames.task_to_data(task)}):
            if "part" in message:
                yield message["part"]
            else:
                yield frames.answers_from_data(message["result"])

    async def _messages(
        self, do: str, model: Snapshot, question: dict[str, Any]
    ) -> AsyncIterator[dict[str, Any]]:
        number = next(self._numbers)
        inbox: Inbox = asyncio.Queue()
        is_answered = False
        try:
            run = await _folder_of(model)
            process = await self._started()
            self._open[number] = process, inbox
            await self._send(process, {"id": number, "do": do, "run": run, **question})
            while not is_answered:
                message = await inbox.get()
                is_answered = "part" not in message
                if "died" in message:
                    raise WorkerDied(f"it ended with {process.returncode}")
                if "failed" in message:
                    raise WorkerFailed(message["failed"])
                if "refused" in message:
                    raise InputError(message["refused"])
                yield message
        finally:
            if self._open.pop(number, None) and not is_answered and process.returncode is None:
                with contextlib.suppress(ConnectionError, RuntimeError):
                    assert process.stdin is not None
                    process.stdin.write(frames.pack({"cancel": number}))  # it need not have come

    async def _started(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                self._process = await asyncio.create_subprocess_exec(
                    # -P: what lies in the folder where the server was started is not imported.
                    sys.executable, "-P", "-m", "heedful.serve.worker.process",
                    str(self._threads or 0),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                )  # fmt: skip
                self._reader = asyncio.create_task(self._read(self._process))
            return self._process

    async def _send(self, process: asyncio.subprocess.Process, message: dict[str, Any]) -> None:
        assert process.stdin is not None
        try:
            process.stdin.write(frames.pack(message))
            await process.stdin.drain()
        except (ConnectionError, RuntimeError):
            raise WorkerDied("it does not listen any more") from None

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Hands out what it says; tells all who wait when it ends."""
        assert process.stdout is not None
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = await process.stdout.readexactly(frames.HEAD)
                message = frames.unpack(await process.stdout.readexactly(frames.length_of(head)))
                if message["id"] in self._open:
                    self._open[message["id"]][1].put_nowait(message)
        await process.wait()
        for of_process, inbox in self._open.values():
            if of_process is process:  # others may be waiting for the next one by now
                inbox.put_nowait({"died": True})

    async def close(self) -> None:
        """Lets it end what it does."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), timeout=5)
        except TimeoutError:
            process.kill()
            await process.wait()
        if self._reader is not None:
            await self._reader


async def _folder_of(model: Snapshot) -> str:
    try:
        return str(await model.whole())
    except OSError as error:
        raise WorkerFailed(f"a copy of the model cannot be made again: {error}") from None

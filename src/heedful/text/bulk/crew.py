"""Several processes that tokenise, each on a core of its own.

They are plain programs with pipes: unlike those of `multiprocessing` they never run the caller's
script again, are not copies of a process full of threads, and end by themselves when the process
that started them is gone, however it ended.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Self

from heedful.errors import TrainingError
from heedful.text.bulk.messages import (
    Setup,
    from_block,
    from_encoded,
    from_setup,
    receive,
    send,
    to_block,
    to_encoded,
    to_setup,
)
from heedful.text.bulk.pair_encoder import Encoded, PairEncoder
from heedful.text.corpus import Block

_PROGRAM = "from heedful.text.bulk.crew import work; work()"
_READY = b"ready"


class Crew:
    """So many processes, from `with Crew(n) as crew` on; they get ready while others do their work.

    With one, or where no process can be started, the work is done in this process.
    """

    def __init__(self, n_processes: int) -> None:
        self._n_processes = n_processes
        self._members: list[_Member] = []

    def __enter__(self) -> Self:
        if self._n_processes > 1 and sys.executable and not getattr(sys, "frozen", False):
            try:
                for _ in range(self._n_processes):
                    self._members.append(_Member())
            except OSError:
                _dismiss(self._members)
        return self

    def __exit__(self, *fault: object) -> None:
        _dismiss(self._members)

    def encode(self, blocks: Iterable[Block], setup: Setup) -> Iterator[Encoded]:
        """The outcome of each block, in order; once only."""
        try:
            for member in self._members:
                member.begin(setup)
            for member in self._members:
                member.wait_until_ready()
        except OSError:
            _dismiss(self._members)
        if self._members:
            return _share_out(blocks, self._members)
        return map(PairEncoder(*setup), blocks)


def work() -> None:
    """One of the processes: blocks come in, their outcomes go out."""
    inbox, outbox = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # so that nothing else gets in between
    gc.disable()  # there are millions of lists of ids to look through, and no cycles in them
    try:
        encoder = PairEncoder(*to_setup(receive(inbox)))
        outbox.write(_READY)
        outbox.flush()
        while True:
            send(outbox, from_encoded(encoder(to_block(receive(inbox)))))
    except (EOFError, BrokenPipeError):
        os._exit(0)  # whoever wanted it is gone


class _Member:
    """One process, seen from outside."""

    def __init__(self) -> None:
        paths = [path or str(Path.cwd()) for path in sys.path]
        one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # numpy's
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | one_thread | {"PYTHONPATH": os.pathsep.join(paths)},
            process_group=0,  # Ctrl-C is for us: we end it then
        )
        assert self._process.stdin
        assert self._process.stdout
        self._inbox, self._outbox = self._process.stdin, self._process.stdout

    def begin(self, setup: Setup) -> None:
        send(self._inbox, from_setup(setup))

    def wait_until_ready(self) -> None:
        if self._outbox.read(len(_READY)) != _READY:
            raise OSError("a process could not be started")

    def ask(self, block: Block) -> Encoded:
        try:
            send(self._inbox, from_block(block))
            return to_encoded(receive(self._outbox))
        except (EOFError, OSError):
            raise TrainingError(
                f"a process that tokenises text {_describe_end(self._process.wait())}. Was there "
                f"enough memory? Start again; what is not finished is made anew"
            ) from None

    def dismiss(self) -> None:
        self._process.kill()
        self._process.wait()
        self._outbox.close()
        with suppress(BrokenPipeError):  # something unsent was left
            self._inbox.close()


def _dismiss(members: list[_Member]) -> None:
    while members:
        members.pop().dismiss()


def _share_out(blocks: Iterable[Block], members: list[_Member]) -> Iterator[Encoded]:
    """Each process has a thread that waits for it. No more than two blocks a process are begun and
    not fetched, so memory stays bounded."""
    free: SimpleQueue[_Member] = SimpleQueue()
    for member in members:
        free.put(member)

    def ask(block: Block) -> Encoded:
        member = free.get()
        try:
            return member.ask(block)
        finally:
            free.put(member)

    pending: deque[Future[Encoded]] = deque()
    pool = ThreadPoolExecutor(len(members))
    try:
        for block in blocks:
            pending.append(pool.submit(ask, block))
            if len(pending) >= 2 * len(members):
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        _dismiss(members)  # before the threads: they may be waiting for them
        pool.shutdown(cancel_futures=True)


def _describe_end(code: int) -> str:
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"

"""Sentences of all requests, merged into batches as they come.

An idle engine takes a sentence at once. While it works, others gather, and those whose clients have
just been answered are given a moment to ask for the next; the next batch is the oldest of them and
those nearest to it in length. A sentence's translation is the same in any batch.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from heedful.decoding.config import DecodingConfig
from heedful.decoding.hypothesis import Hypothesis
from heedful.engines.engine import Ids, Task
from heedful.serve.refused import busy

Answers = list[list[Hypothesis]]
Search = Callable[[Task], Awaitable[Answers]]
"""An engine, asked without waiting."""

Kind = tuple[Search, DecodingConfig, bool]
"""What sentences of one batch have in common."""

BATCH_TOKENS = 2048  # source tokens, padding included
PATIENCE = 0.15  # of a batch's time: so long a sentence waits for others while the engine works
LONGEST_WAIT = 0.03  # seconds
AT_ONCE = 64  # sentences of one request in the queue: a long text leaves room for the others'


@dataclass(eq=False)
class Sentence:
    """One that waits."""

    source: Ids
    limit: int
    prefix: Ids
    phrases: Sequence[Ids]
    nbest: int
    since: float
    answer: asyncio.Future[list[Hypothesis]]


@dataclass(eq=False)
class Lane:
    """What may be searched together: the same model, asked in the same way."""

    search: Search
    config: DecodingConfig
    aligned: bool
    queue: list[Sentence] = field(default_factory=list)

    def task(self, batch: list[Sentence]) -> Task:
        """What the engine is asked."""
        return Task(
            self.config,
            max(sentence.nbest for sentence in batch),
            [sentence.source for sentence in batch],
            [sentence.limit for sentence in batch],
            [sentence.prefix for sentence in batch],
            [sentence.phrases for sentence in batch],
            self.aligned,
        )


class Batcher:
    """An engine's queue. `workers` batches are searched at a time; `most` sentences wait. What
    nobody waits for any more is broken off, if `stops` says that the engine can be stopped."""

    def __init__(
        self,
        *,
        workers: int,
        most: int,
        stops: bool = False,
        batch_tokens: int = BATCH_TOKENS,
        on_batch: Callable[[int], None] = lambda sentences: None,
    ) -> None:
        self._workers = self._free = workers
        self._most = most
        self._stops = stops
        self._at_once = min(AT_ONCE, most)
        self._batch_tokens = batch_tokens
        self._on_batch = on_batch
        self._lanes: dict[Kind, Lane] = {}
        self._running: dict[asyncio.Task[None], list[Sentence]] = {}
        self._wakes_at = 0.0  # when the queue is looked at again, if nothing happens before
        self._rate = 50.0  # sentences a second, as seen lately
        self._pace = 0.0  # seconds that a batch takes, as seen lately

    @property
    def waiting(self) -> int:
        """Sentences in the queue."""
        return sum(len(lane.queue) for lane in self._lanes.values())

    def check_room(self, sentences: int = 1) -> None:
        """Refused if the queue is full."""
        if self.waiting + sentences > self._most:
            raise busy(self.waiting / self._rate)

    async def search(self, search: Search, task: Task) -> Answers:
        """What the engine finds; Refused if the queue is full."""
        self.check_room(min(len(task.sources), self._at_once))
        kind = (search, task.config, task.aligned)
        found: Answers = []
        for start in range(0, len(task.sources), self._at_once):
            rows = range(start, min(start + self._at_once, len(task.sources)))
            found += await self._wait_for(kind, task, rows)
        return found

    async def _wait_for(self, kind: Kind, task: Task, rows: range) -> Answers:
        loop = asyncio.get_running_loop()
        now = loop.time()
        sentences = [
            Sentence(
                task.sources[row],
                task.limits[row],
                task.prefixes[row],
                task.phrases[row] if task.phrases else (),
                task.nbest,
                now,
                loop.create_future(),
            )
            for row in rows
        ]
        lane = self._lanes.setdefault(kind, Lane(*kind))
        lane.queue += sentences
        self._pump()
        try:
            return [await sentence.answer for sentence in sentences]
        except BaseException:  # who asked has gone, or one of them failed: the others are let go
            for sentence in sentences:
                sentence.answer.cancel()
            lane.queue[:] = [s for s in lane.queue if not s.answer.done()]
            self._break_off()
            raise

    def _break_off(self) -> None:
        """Ends the batches that nobody waits for."""
        for running, batch in self._running.items():
            if self._stops and all(sentence.answer.done() for sentence in batch):
                running.cancel()

    def _pump(self) -> None:
        """Gives free workers what there is to do."""
        self._lanes = {kind: lane for kind, lane in self._lanes.items() if lane.queue}
        is_idle = self._free == self._workers
        while self._free and self._lanes:
            kind, lane = min(self._lanes.items(), key=lambda item: item[1].queue[0].since)
            if not is_idle and self._may_grow(lane):
                return
            batch = self._take(lane)
            if not lane.queue:
                del self._lanes[kind]
            self._free -= 1
            running = asyncio.create_task(self._run(lane, batch))
            self._running[running] = batch
            running.add_done_callback(self._running.pop)

    def _may_grow(self, lane: Lane) -> bool:
        """Whether a batch shall wait a moment longer: others are at work, and it is not full."""
        if len(lane.queue) >= AT_ONCE:
            return False
        loop = asyncio.get_running_loop()
        until = lane.queue[0].since + min(LONGEST_WAIT, PATIENCE * self._pace)
        if loop.time() >= until:
            return False
        if self._wakes_at <= loop.time():
            self._wakes_at = until
            loop.call_at(until, self._pump)
        return True

    def _take(self, lane: Lane) -> list[Sentence]:
        """A fair share for one of the free workers, the oldest first, then those of like length."""
        share = math.ceil(len(lane.queue) / self._free)
        first = len(lane.queue[0].source)
        near = sorted(lane.queue, key=lambda s: abs(len(s.source) - first))
        batch: list[Sentence] = []
        longest = 0
        for sentence in near[:share]:
            longest = max(longest, len(sentence.source) + 1)
            if batch and longest * (len(batch) + 1) > self._batch_tokens:
                break
            batch.append(sentence)
        taken = set(map(id, batch))
        lane.queue[:] = [s for s in lane.queue if id(s) not in taken]
        return batch

    async def _run(self, lane: Lane, batch: list[Sentence]) -> None:
        loop = asyncio.get_running_loop()
        started = loop.time()
        self._on_batch(len(batch))
        try:
            found = await lane.search(lane.task(batch))
        except Exception as error:
            for sentence in batch:
                if not sentence.answer.done():
                    sentence.answer.set_exception(error)
        else:
            for sentence, hypotheses in zip(batch, found, strict=True):
                if not sentence.answer.done():  # nobody may want it any more
                    sentence.answer.set_result(hypotheses[: sentence.nbest])
            took = max(1e-3, loop.time() - started)
            self._pace += 0.1 * (took - self._pace)
            self._rate += 0.1 * (self._workers * len(batch) / took - self._rate)
        finally:
            self._free += 1
            self._pump()

"""Sentences of all requests, merged into batches as they come.

An idle engine takes a sentence at once. While it works, others gather. As soon as these are nearly
an even share of what is usually under way, they lie ready for the first worker that is done: it
need not wait until those whom it answered ask again. Where they are too few for that, it waits for
them, for a moment. A batch is the oldest sentence and those nearest to it in length. A sentence's
translation is the same in any batch (with int8 nearly always: the padding beside a longer one
changes a last bit, which may be rounded into another step).
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable

from heedful.engines.engine import Task
from heedful.serve.lanes import Answers, Kind, Lane, Search, Sentence, alike
from heedful.serve.refused import busy

BATCH_TOKENS = 2048  # source tokens, padding included
ENOUGH = 16  # sentences: a batch that has so many gains little from more
MOST = 32  # sentences of a batch, and a few left over: more would gain nothing
NEARLY = 0.9  # of a full batch: the last to come would keep a worker from all the others
LONGEST_WAIT = 0.02  # seconds that a worker with nothing to do waits for others to come
LEFT_OVER = 0.25  # of a batch: fewer than this are taken along
AT_ONCE = 64  # sentences of one request that are under way, at most
ROOM_TAKEN = 0.25  # of the places left, by one request: a long text leaves some for the others
ROOM_WANTED = 0.1  # of all places: a text is let in if so many are left, a sentence if any is


class Batcher:
    """An engine's queue. `workers` batches are searched at a time, and `ready` more lie before them
    in the engine; `most` sentences wait, and no text is let in that would have to wait for longer
    than so many `seconds`. What nobody waits for any more is broken off, if `stops` says that the
    engine can be stopped."""

    def __init__(
        self,
        *,
        workers: int,
        ready: int = 0,
        most: int,
        seconds: float = math.inf,
        stops: bool = False,
        batch_tokens: int = BATCH_TOKENS,
        on_batch: Callable[[int], None] = lambda sentences: None,
    ) -> None:
        self._workers, self._ready = workers, ready
        self._most = most
        self._seconds = seconds
        self._owed = 0  # sentences of all who wait, those that are not in the queue yet included
        self._stops = stops
        self._batch_tokens = batch_tokens
        self._on_batch = on_batch
        self._lanes: dict[Kind, Lane] = {}
        self._running: dict[asyncio.Task[Answers], tuple[Lane, list[Sentence]]] = {}
        self._wakes_at = math.inf  # when the queue is looked at again, if nothing happens before
        self._rate = math.inf  # sentences a second, as seen lately in full batches

    @property
    def waiting(self) -> int:
        """Sentences in the queue."""
        return sum([len(lane.queue) for lane in self._lanes.values()])

    def check_room(self, sentences: int = 1) -> None:
        """Refused if the queue is full."""
        wanted = 1 if sentences == 1 else math.ceil(ROOM_WANTED * self._most)
        is_late = sentences > 1 and self._owed / self._rate > self._seconds
        if self._most - self.waiting < wanted or is_late:
            raise busy(self._owed / self._rate)

    async def search(self, search: Search, task: Task, *, again: bool = False) -> Answers:
        """What the engine finds; Refused if the queue is full, unless it is about sentences that
        were let in before. As the first are answered, more are let into the queue."""
        if not again:
            self.check_room(len(task.sources))
        kind = Kind(search, task.config, task.aligned)
        found: Answers = []
        asked: list[Sentence] = []
        portion = 0
        rows = range(len(task.sources))
        self._owed += len(rows)
        try:
            for row in rows:
                if len(asked) < len(rows):
                    portion = max(portion, self._portion)
                    under_way = sum([not sentence.is_answered for sentence in asked[row:]])
                    if more := rows[len(asked) :][: max(0, portion - under_way)]:
                        asked += self._let_in(kind, task, more)
                found.append(await asked[row].answer)
                self._owed -= 1
            return found
        except BaseException:  # who asked has gone, or one of them failed: the others are let go
            self._owed -= len(rows) - len(found)
            self._let_go(kind, asked)
            raise

    def _let_go(self, kind: Kind, sentences: list[Sentence]) -> None:
        """Nobody waits for them any more."""
        for sentence in sentences:
            sentence.answer.cancel()
        if kind in self._lanes:
            self._lanes[kind].leave()
        self._tidy()
        self._break_off()

    @property
    def _portion(self) -> int:
        """Sentences of one request that may be under way together."""
        return max(1, min(AT_ONCE, int(ROOM_TAKEN * (self._most - self.waiting))))

    def _let_in(self, kind: Kind, task: Task, rows: range) -> list[Sentence]:
        """The sentences of these rows, in the queue."""
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
        self._lanes.setdefault(kind, Lane(kind)).queue += sentences
        self._pump()
        return sentences

    def _tidy(self) -> None:
        """A lane is there as long as something is under way in it."""
        self._lanes = {kind: lane for kind, lane in self._lanes.items() if lane.under_way}

    def _break_off(self) -> None:
        """Ends the batches that nobody waits for."""
        for running, (_, batch) in self._running.items():
            if self._stops and all(sentence.answer.done() for sentence in batch):
                running.cancel()

    @property
    def _free(self) -> int:
        """Workers that have nothing to do; fewer than none if batches lie ready."""
        return self._workers - len(self._running)

    def _pump(self) -> None:
        """Gives the engine what there is to do."""
        now = asyncio.get_running_loop().time()
        while self._has_place and (lanes := [lane for lane in self._lanes.values() if lane.queue]):
            for lane in lanes:
                lane.held_since = min(lane.held_since, now)
            lane = min(lanes, key=self._due)
            if (due := self._due(lane)) > now:
                self._wake_at(due)
                return
            self._start(lane)

    @property
    def _has_place(self) -> bool:
        """Whether the engine would take a batch. While all its workers work, only if one is full:
        smaller ones may still grow. (Those of a lane that has waited longer go first even so.)"""
        if self._free > 0:
            return True
        return self._free > -self._ready and any(map(self._is_full, self._lanes.values()))

    def _due(self, lane: Lane) -> float:
        """When a batch of it shall be begun: at once, or when its others have had time to come."""
        return lane.queue[0].since if self._may_begin(lane) else lane.held_since + LONGEST_WAIT

    def _may_begin(self, lane: Lane) -> bool:
        """Whether it does not pay to wait: there are few, or nearly all are here, or enough."""
        are_few = max(lane.usual, lane.under_way) <= self._workers
        are_here = lane.under_way >= NEARLY * lane.usual
        return are_few or are_here or self._is_full(lane)

    def _is_full(self, lane: Lane) -> bool:
        return len(lane.queue) >= NEARLY * self._fair_share(lane)

    def _fair_share(self, lane: Lane) -> int:
        """Sentences of a full batch."""
        for_each = math.ceil(max(lane.usual, lane.under_way) / (self._workers + self._ready))
        return min(MOST, max(ENOUGH, for_each))

    def _start(self, lane: Lane) -> None:
        """Who was waited for in vain is not expected again."""
        lane.usual = max(lane.usual, lane.under_way) if self._may_begin(lane) else lane.under_way
        lane.held_since = math.inf
        batch = self._take(lane)
        lane.at_work += len(batch)
        running = asyncio.create_task(self._run(lane, batch))
        self._running[running] = lane, batch
        running.add_done_callback(self._end)

    def _wake_at(self, when: float) -> None:
        """The queue is looked at again. Loops may call a little early: then once more."""
        if when < self._wakes_at:
            self._wakes_at = when
            asyncio.get_running_loop().call_at(when, self._wake)

    def _wake(self) -> None:
        self._wakes_at = math.inf
        self._pump()

    def _take(self, lane: Lane) -> list[Sentence]:
        """The oldest, and those of like length; the other idle workers get their part too."""
        waiting = len(lane.queue)
        share = min(self._fair_share(lane), math.ceil(waiting / max(1, self._free)))
        if waiting - share < LEFT_OVER * share:  # too few for a batch of their own
            share = waiting
        batch: list[Sentence] = []
        longest = 0
        for sentence in alike(lane.queue, share):
            longest = max(longest, len(sentence.source) + 1)
            if batch and longest * (len(batch) + 1) > self._batch_tokens:
                break
            batch.append(sentence)
        taken = set(map(id, batch))
        lane.queue[:] = [s for s in lane.queue if id(s) not in taken]
        return batch

    async def _run(self, lane: Lane, batch: list[Sentence]) -> Answers:
        loop = asyncio.get_running_loop()
        started = loop.time()
        self._on_batch(len(batch))
        is_full = len(batch) >= ENOUGH or bool(lane.queue)
        found = await lane.kind.search(lane.task(batch))
        took = max(1e-3, loop.time() - started)
        if is_full:  # few sentences at a time tell nothing of how many there could be
            self._note_rate(max(self._workers, len(self._running)) * len(batch) / took)
        return found

    def _note_rate(self, rate: float) -> None:
        self._rate = rate if math.isinf(self._rate) else self._rate + 0.1 * (rate - self._rate)

    def _end(self, running: asyncio.Task[Answers]) -> None:
        """A worker is free, whatever came of its batch; a task may end before it has begun."""
        lane, batch = self._running.pop(running)
        lane.at_work -= len(batch)
        try:
            self._pump()  # the engine shall not wait until all are answered
        finally:
            _answer(batch, running)
            self._tidy()


def _answer(batch: list[Sentence], done: asyncio.Task[Answers]) -> None:
    """Those that are still waited for. Nobody waits for what was broken off."""
    if done.cancelled():
        return
    error = done.exception()
    for row, sentence in enumerate(batch):
        if sentence.answer.done():
            continue
        if error is not None:
            sentence.answer.set_exception(error)
        else:
            sentence.answer.set_result(done.result()[row][: sentence.nbest])

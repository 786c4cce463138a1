"""Sentences of all requests in common batches."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import pytest

from heedful.decoding.config import DecodingConfig
from heedful.decoding.hypothesis import Hypothesis
from heedful.engines.engine import Task
from heedful.serve.batching import AT_ONCE, ENOUGH, LONGEST_WAIT, MOST, NEARLY, Batcher
from heedful.serve.lanes import Answers
from heedful.serve.refused import Refused
from heedful.serve.running import loop_factory
from heedful.translator import Translator

from ..simulated_time import simulate
from ..trained import sentences

CONFIG = DecodingConfig(beam=4)


class Engine:
    """Answers each sentence with itself when it is let; remembers what came together."""

    def __init__(self) -> None:
        self.batches: list[list[Sequence[int]]] = []
        self.may_go = asyncio.Event()
        self.fails = False

    async def search(self, task: Task) -> Answers:
        self.batches.append(list(task.sources))
        await self.may_go.wait()
        if self.fails:
            raise RuntimeError("broken")
        return [[Hypothesis(tuple(source), 0.0, 0.0)] for source in task.sources]


def task(*sources: Sequence[int], config: DecodingConfig = CONFIG, nbest: int = 1) -> Task:
    return Task(config, nbest, sources, [10] * len(sources), [()] * len(sources))


class Gated:
    """The same, but each batch is let go by itself."""

    def __init__(self) -> None:
        self.batches: list[list[Sequence[int]]] = []
        self._gates: defaultdict[int, asyncio.Event] = defaultdict(asyncio.Event)

    async def search(self, task: Task) -> Answers:
        self.batches.append(list(task.sources))
        await self._gates[len(self.batches) - 1].wait()
        return [[Hypothesis(tuple(source), 0.0, 0.0)] for source in task.sources]

    def let_go(self, *batches: int) -> None:
        for batch in batches:
            self._gates[batch].set()


def ask(
    batcher: Batcher, engine: Engine | Gated, *sources: Sequence[int]
) -> list[asyncio.Task[Answers]]:
    """Each by a client of its own."""
    return [asyncio.create_task(batcher.search(engine.search, task(source))) for source in sources]


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_what_waits_is_searched_together() -> None:
    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=1, most=100)
        first = asyncio.create_task(batcher.search(engine.search, task([1])))
        await settle()
        assert engine.batches == [[[1]]]  # nobody waits for an idle engine
        others = [asyncio.create_task(batcher.search(engine.search, task([n]))) for n in range(5)]
        await settle()
        assert batcher.waiting == 5
        engine.may_go.set()
        answers = await asyncio.gather(first, *others)
        assert len(engine.batches) == 2
        assert [answer[0][0].tokens for answer in answers] == [(1,), (0,), (1,), (2,), (3,), (4,)]

    simulate(scene())


def test_only_what_is_asked_alike_goes_together() -> None:
    async def scene() -> None:
        engine, other, batcher = Engine(), Engine(), Batcher(workers=1, most=100)
        engine.may_go.set()
        other.may_go.set()
        wide = DecodingConfig(beam=5)
        await asyncio.gather(
            batcher.search(engine.search, task([1], [2])),
            batcher.search(engine.search, task([3], config=wide)),
            batcher.search(engine.search, task([4], nbest=2)),
            batcher.search(other.search, task([5])),
        )
        assert sorted(map(len, engine.batches)) == [1, 1, 2]
        assert other.batches == [[[5]]]

    simulate(scene())


def test_batches_are_of_like_length_and_bounded() -> None:
    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=1, most=1000, batch_tokens=40)
        first = asyncio.create_task(batcher.search(engine.search, task([0])))
        await settle()
        sources = [[n] * (3 if n % 2 else 19) for n in range(12)]
        rest = asyncio.create_task(batcher.search(engine.search, task(*sources)))
        await settle()
        engine.may_go.set()
        await asyncio.gather(first, rest)
        for batch in engine.batches[1:]:
            assert len(batch) * (max(map(len, batch)) + 1) <= 40 or len(batch) == 1
            assert len({len(source) for source in batch}) == 1
        assert rest.result() == [[Hypothesis(tuple(s), 0.0, 0.0)] for s in sources]

    simulate(scene())


@pytest.mark.parametrize("ready", [0, 1])
def test_free_workers_share(ready: int) -> None:
    """What lies ready begins later: no place for some of a few."""

    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=2, ready=ready, most=100)
        asked = asyncio.create_task(batcher.search(engine.search, task([1], [2], [3], [4])))
        await settle()
        assert sorted(map(len, engine.batches)) == [2, 2]
        engine.may_go.set()
        await asked

    simulate(scene())


def test_a_long_text_leaves_room_for_others() -> None:
    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=1, most=2 * AT_ONCE)
        long = asyncio.create_task(
            batcher.search(engine.search, task(*[[n] for n in range(10 * AT_ONCE)]))
        )
        await settle()
        short = asyncio.create_task(batcher.search(engine.search, task([7])))
        engine.may_go.set()
        await short
        assert not long.done()
        assert len(await long) == 10 * AT_ONCE

    simulate(scene())


def test_a_full_queue_is_told_at_once() -> None:
    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=1, most=3)
        first = asyncio.create_task(batcher.search(engine.search, task([1])))
        await settle()
        waiting = ask(batcher, engine, [1], [2], [3])
        await settle()
        with pytest.raises(Refused) as refused:
            await batcher.search(engine.search, task([4]))
        assert refused.value.status == 503
        assert refused.value.retry_after is not None
        engine.may_go.set()
        await asyncio.gather(first, *waiting)
        await batcher.search(engine.search, task([4]))  # there is room again

    simulate(scene())


def test_what_was_let_in_is_let_in_again() -> None:
    """A second look is about sentences that had their place."""

    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=1, most=3)
        first = asyncio.create_task(batcher.search(engine.search, task([1])))
        await settle()
        waiting = ask(batcher, engine, [1], [2], [3])
        await settle()
        again = asyncio.create_task(batcher.search(engine.search, task([1]), again=True))
        await settle()
        assert not again.done()
        engine.may_go.set()
        assert len(await again) == 1
        await asyncio.gather(first, *waiting)

    simulate(scene())


def test_who_goes_away_frees_their_places() -> None:
    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=1, most=3)
        first = asyncio.create_task(batcher.search(engine.search, task([1])))
        await settle()
        gone = asyncio.create_task(batcher.search(engine.search, task([1], [2], [3])))
        await settle()
        gone.cancel()
        await settle()
        assert batcher.waiting == 0
        engine.may_go.set()
        await first
        await settle()
        assert len(engine.batches) == 1  # nobody searched for what nobody wanted

    simulate(scene())


def test_what_nobody_waits_for_is_broken_off() -> None:
    async def scene(*, stops: bool) -> list[str]:
        ended: list[str] = []

        async def search(task: Task) -> Answers:
            try:
                await asyncio.sleep(0.2)
                ended.append("done")
            except asyncio.CancelledError:
                ended.append("broken off")
                raise
            return [[Hypothesis(tuple(source), 0.0, 0.0)] for source in task.sources]

        batcher = Batcher(workers=1, most=10, stops=stops)
        gone = asyncio.create_task(batcher.search(search, task([1], [2])))
        await settle()
        gone.cancel()
        found = await batcher.search(search, task([3]))
        assert found[0][0].tokens == (3,)
        return ended

    assert simulate(scene(stops=True)) == ["broken off", "done"]
    assert simulate(scene(stops=False)) == ["done", "done"]


def test_a_text_may_have_more_sentences_than_the_queue_has_places() -> None:
    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=1, most=3)
        engine.may_go.set()
        found = await batcher.search(engine.search, task(*([n] for n in range(8))))
        assert [answer[0].tokens for answer in found] == [(n,) for n in range(8)]

    simulate(scene())


def test_a_failure_is_told_to_its_own_batch_alone() -> None:
    async def scene() -> None:
        engine, other, batcher = Engine(), Engine(), Batcher(workers=2, most=10)
        engine.fails = True
        asked = [*ask(batcher, engine, [1]), *ask(batcher, other, [2])]
        await settle()
        engine.may_go.set()
        other.may_go.set()
        broken, fine = await asyncio.gather(*asked, return_exceptions=True)
        assert str(broken) == "broken"
        assert isinstance(fine, list)
        engine.fails = False
        assert len(await batcher.search(engine.search, task([1], [2]))) == 2

    simulate(scene())


def test_an_answer_is_the_same_in_any_company(prose: Translator) -> None:
    """Whatever the others want, and however long theirs may become."""
    lines = [pair[0] for pair in sentences()[:12]]
    whole = prose.planner.plan(lines, beam=4).task
    limits = [limit if row % 3 else 2 + row % 5 for row, limit in enumerate(whole.limits)]
    rows = [
        replace(whole, nbest=1 + row % 4, sources=[whole.sources[row]], limits=[limits[row]],
                prefixes=[whole.prefixes[row]])
        for row in range(len(lines))
    ]  # fmt: skip
    batches: list[int] = []

    async def search(task: Task) -> Answers:
        batches.append(len(task.sources))
        return await asyncio.to_thread(prose.engine.search, task)

    async def scene() -> list[Answers]:
        batcher = Batcher(workers=1, most=100)
        return await asyncio.gather(*(batcher.search(search, row) for row in rows))

    together = asyncio.run(scene())
    assert max(batches) > 8
    for row, (found,) in zip(rows, together, strict=True):
        (alone,) = prose.engine.search(row)
        assert [h.tokens for h in found] == [h.tokens for h in alone]
        assert len(found) == row.nbest


def test_many_clients_on_the_servers_own_loop() -> None:
    """Each gets its own answers, whatever is in the batch with it."""

    async def search(task: Task) -> Answers:
        await asyncio.sleep(0.0005 * len(task.sources))
        return [[Hypothesis(tuple(source), 0.0, 0.0)] for source in task.sources]

    async def client(batcher: Batcher, number: int) -> None:
        for n in range(30):
            found = await batcher.search(search, task([number, n], [number, n, n]))
            assert [answer[0].tokens for answer in found] == [(number, n), (number, n, n)]
            await asyncio.sleep(0.0003 * (n % 3))

    async def scene() -> None:
        batcher = Batcher(workers=2, most=1000)
        await asyncio.gather(*(client(batcher, number) for number in range(40)))
        assert batcher.waiting == 0

    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(scene())


async def four_clients(batcher: Batcher, engine: Gated) -> list[asyncio.Task[Answers]]:
    """Two workers: one is at work for a client, the other has just answered three."""
    first = ask(batcher, engine, [0], [1])
    await settle()
    rest = ask(batcher, engine, [2], [3], [4])
    await settle()
    engine.let_go(1)
    await settle()
    assert engine.batches == [[[0]], [[1]], [[2], [3], [4]]]
    engine.let_go(2)
    await asyncio.gather(first[1], *rest)
    return first[:1]


def test_a_worker_that_is_done_waits_for_those_whom_it_answered() -> None:
    async def scene() -> None:
        engine, batcher = Gated(), Batcher(workers=2, most=1000)
        asked = await four_clients(batcher, engine)
        asked += ask(batcher, engine, [5], [6])
        await settle()
        assert len(engine.batches) == 3  # one more was under way before
        asked += ask(batcher, engine, [7])
        await settle()
        assert engine.batches[3] == [[5], [6], [7]]
        engine.let_go(0, 3)
        await asyncio.gather(*asked)

    simulate(scene())


def test_who_was_waited_for_in_vain_is_not_expected_again() -> None:
    async def scene() -> None:
        engine, batcher = Gated(), Batcher(workers=2, most=1000)
        asked = await four_clients(batcher, engine)
        asked += ask(batcher, engine, [5], [6])
        await asyncio.sleep(3 * LONGEST_WAIT)
        assert engine.batches[3] == [[5], [6]]
        engine.let_go(3)
        await asyncio.gather(*asked[1:])
        asked += ask(batcher, engine, [7], [8])
        await settle()
        assert engine.batches[4] == [[7], [8]]
        engine.let_go(0, 4)
        await asyncio.gather(*asked)

    simulate(scene())


def test_what_is_asked_otherwise_is_not_waited_for() -> None:
    async def scene() -> None:
        engine, other, batcher = Gated(), Engine(), Batcher(workers=2, most=1000)
        asked = await four_clients(batcher, engine)
        other.may_go.set()
        await asyncio.gather(*ask(batcher, other, [5], [6], [7]))
        assert sum(map(len, other.batches)) == 3
        asked += ask(batcher, engine, [8], [9])
        await settle()
        assert len(engine.batches) == 3  # the third of them is still expected
        engine.let_go(0, 3, 4)
        await asyncio.gather(*asked)

    simulate(scene())


def test_who_comes_after_one_that_left_is_waited_for_as_long() -> None:
    async def scene() -> None:
        engine, batcher = Gated(), Batcher(workers=2, most=1000)
        asked = await four_clients(batcher, engine)
        (left,) = ask(batcher, engine, [5])
        await settle()
        left.cancel()
        await asyncio.sleep(2 * LONGEST_WAIT)
        asked += ask(batcher, engine, [6])
        await settle()
        assert len(engine.batches) == 3  # its wait begins with it
        asked += ask(batcher, engine, [7], [8])
        await settle()
        assert engine.batches[3] == [[6], [7], [8]]
        engine.let_go(0, 3)
        await asyncio.gather(*asked)

    simulate(scene())


def test_a_full_batch_lies_ready_while_all_work() -> None:
    async def scene() -> None:
        engine, batcher = Gated(), Batcher(workers=1, ready=1, most=1000)
        asked = ask(batcher, engine, [0])
        await settle()
        asked += ask(batcher, engine, *([n] for n in range(1, 8)))
        await settle()
        assert len(engine.batches) == 1  # those may still become more
        asked += ask(batcher, engine, *([n] for n in range(8, 30)))
        await settle()
        assert len(engine.batches) == 2
        assert len(engine.batches[1]) >= ENOUGH * NEARLY
        asked += ask(batcher, engine, *([n] for n in range(30, 80)))
        await settle()
        assert len(engine.batches) == 2  # one lies ready: that is enough
        engine.let_go(*range(20))
        await asyncio.gather(*asked)
        assert sorted(n for batch in engine.batches for (n,) in batch) == list(range(80))

    simulate(scene())


def test_who_asks_otherwise_is_not_kept_waiting_by_full_batches() -> None:
    """A long text of one model always has one; a sentence for another model has its turn."""

    async def scene() -> None:
        engine, other, batcher = Gated(), Engine(), Batcher(workers=1, ready=1, most=1000)
        text = asyncio.create_task(
            batcher.search(engine.search, task(*([n] for n in range(10 * AT_ONCE))))
        )
        await settle()
        (asked,) = ask(batcher, other, [0])
        await asyncio.sleep(2 * LONGEST_WAIT)
        for batch in range(4):
            engine.let_go(batch)
            await settle()
        assert other.batches == [[[0]]]
        other.may_go.set()
        await asked
        assert not text.done()
        engine.let_go(*range(4, 100))
        await text

    simulate(scene())


def test_a_long_text_goes_on_as_its_answers_come() -> None:
    """The first batch that is done makes room for more of the same text."""

    async def scene() -> None:
        engine, batcher = Gated(), Batcher(workers=2, ready=1, most=1000)
        answers = asyncio.create_task(
            batcher.search(engine.search, task(*([n] for n in range(3 * AT_ONCE))))
        )
        await settle()
        first = engine.batches[0]
        under_way = sum(map(len, engine.batches)) + batcher.waiting
        assert under_way == AT_ONCE
        engine.let_go(0)
        await settle()
        assert sum(map(len, engine.batches)) + batcher.waiting == AT_ONCE + len(first)
        engine.let_go(*range(1, 50))
        found = await answers
        assert [one[0].tokens for one in found] == [(n,) for n in range(3 * AT_ONCE)]

    simulate(scene())


def test_of_a_text_that_failed_no_more_is_begun() -> None:
    async def scene() -> None:
        begun = 0
        first = asyncio.Event()

        async def search(task: Task) -> Answers:
            nonlocal begun
            begun += 1
            if begun == 1:
                await first.wait()
                return [[Hypothesis(tuple(source), 0.0, 0.0)] for source in task.sources]
            raise RuntimeError("broken")

        batcher = Batcher(workers=2, most=1000)
        text = asyncio.create_task(batcher.search(search, task(*([n] for n in range(5 * AT_ONCE)))))
        await settle()
        before = begun
        first.set()
        with pytest.raises(RuntimeError, match="broken"):
            await text
        assert begun == before
        assert batcher.waiting == 0

    simulate(scene())


def test_a_text_is_refused_where_there_is_hardly_room() -> None:
    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=1, most=40)
        waiting = ask(batcher, engine, *([n] for n in range(38)))
        await settle()
        with pytest.raises(Refused):
            await batcher.search(engine.search, task([1], [2]))
        (one,) = ask(batcher, engine, [3])
        await settle()
        engine.may_go.set()
        await asyncio.gather(one, *waiting)

    simulate(scene())


def test_a_text_that_would_wait_too_long_is_told_at_once() -> None:
    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=1, most=1000, seconds=3)
        batcher._note_rate(50.0)
        text = task(*([n] for n in range(200)))
        first = asyncio.create_task(batcher.search(engine.search, text))
        await settle()
        with pytest.raises(Refused) as refused:
            await batcher.search(engine.search, text)
        assert refused.value.retry_after == pytest.approx(4)
        short = ask(batcher, engine, [1])
        await settle()
        engine.may_go.set()
        await asyncio.gather(first, *short)
        assert len(await batcher.search(engine.search, text)) == 200

    simulate(scene())


def test_a_server_that_has_done_nothing_yet_lets_texts_in() -> None:
    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=1, most=10_000, seconds=3)
        texts = [
            asyncio.create_task(batcher.search(engine.search, task(*[[n]] * 200)))
            for n in range(20)
        ]
        await settle()
        engine.may_go.set()
        assert [len(found) for found in await asyncio.gather(*texts)] == [200] * 20

    simulate(scene())


def test_nothing_is_owed_to_who_has_gone() -> None:
    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=1, most=1000, seconds=3)
        text = task(*([n] for n in range(200)))
        gone = asyncio.create_task(batcher.search(engine.search, text))
        await settle()
        gone.cancel()
        await settle()
        engine.may_go.set()
        assert len(await batcher.search(engine.search, text)) == 200
        assert batcher._owed == 0

    simulate(scene())


def test_long_texts_leave_room_for_a_sentence() -> None:
    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=1, most=1024)
        texts = [
            asyncio.create_task(batcher.search(engine.search, task(*[[n]] * 200)))
            for n in range(100)
        ]
        await settle()
        short = ask(batcher, engine, [1])
        await settle()
        assert not short[0].done()  # it waits: it was not refused
        engine.may_go.set()
        await asyncio.gather(*short)
        told = await asyncio.gather(*texts, return_exceptions=True)
        assert {type(one) for one in told} == {list, Refused}

    simulate(scene())


def test_a_batch_is_the_oldest_and_those_most_like_it() -> None:
    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=1, most=1000)
        first = asyncio.create_task(batcher.search(engine.search, task([0])))
        await settle()
        lengths = [10, *[7] * MOST, *[12] * (MOST - 1)]
        rest = asyncio.create_task(
            batcher.search(engine.search, task(*[[1] * length for length in lengths]))
        )
        await settle()
        engine.may_go.set()
        await asyncio.gather(first, rest)
        chosen = [sorted(map(len, batch)) for batch in engine.batches]
        assert chosen[1:] == [[10, *[12] * (MOST - 1)], [7] * MOST]

    simulate(scene())


def test_a_flood_comes_in_batches_that_are_no_larger_than_they_need_be() -> None:
    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=1, most=10_000)
        engine.may_go.set()
        many = [batcher.search(engine.search, task(*[[n]] * AT_ONCE)) for n in range(20)]
        await asyncio.gather(*many)
        assert max(map(len, engine.batches)) == MOST

    simulate(scene())


def test_nobody_is_left_over() -> None:
    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=1, most=1000)
        first = asyncio.create_task(batcher.search(engine.search, task([0])))
        await settle()
        rest = asyncio.create_task(
            batcher.search(engine.search, task(*[[n] for n in range(MOST + 1)]))
        )
        await settle()
        engine.may_go.set()
        await asyncio.gather(first, rest)
        assert list(map(len, engine.batches)) == [1, MOST + 1]

    simulate(scene())


def test_a_batch_that_may_grow_does_not_hold_up_another_that_is_full() -> None:
    async def scene() -> None:
        few, many, batcher = Gated(), Engine(), Batcher(workers=2, most=1000)
        asked = await four_clients(batcher, few)
        asked += ask(batcher, few, [5], [6])
        asked += ask(batcher, many, *([n] for n in range(2 * ENOUGH)))
        await settle()
        assert len(few.batches) == 3
        assert len(many.batches) == 1
        many.may_go.set()
        few.let_go(0, 3, 4)
        await asyncio.gather(*asked)

    simulate(scene())


def test_a_free_worker_does_not_wait_for_a_busy_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's own loop calls a little early if the time is no whole number of milliseconds.
    The wait must still end."""
    monkeypatch.setattr("heedful.serve.batching.LONGEST_WAIT", 0.0203)

    async def scene() -> None:
        for _ in range(40):
            batcher = Batcher(workers=2, most=100)
            never = asyncio.Event()

            async def search(task: Task, never: asyncio.Event = never) -> Answers:
                if task.sources[0][0] == 0:
                    await never.wait()
                return [[Hypothesis((1,), 0.0, 0.0)] for _ in task.sources]

            busy = asyncio.create_task(batcher.search(search, task([0])))
            await settle()
            next(iter(batcher._lanes.values())).usual = 10
            async with asyncio.timeout(60):
                await batcher.search(search, task([1], [2], [3]))
            busy.cancel()

    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(scene())


def test_an_idle_engine_waits_for_nobody_whatever_was_usual() -> None:
    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=2, most=1000)
        engine.may_go.set()
        await batcher.search(engine.search, task(*[[n] for n in range(12)]))
        engine.may_go.clear()
        next_one = asyncio.create_task(
            batcher.search(engine.search, task(*[[n] for n in range(5)]))
        )
        await settle()
        assert sum(map(len, engine.batches)) == 12 + 5
        engine.may_go.set()
        await next_one

    simulate(scene())


def test_a_flood_of_one_kind_does_not_hold_up_another() -> None:
    """Each batch that ends is a reason to wait for those whom it answered; but not for ever."""

    async def scene() -> float:
        loop = asyncio.get_running_loop()
        batcher = Batcher(workers=2, most=10_000)
        is_over = asyncio.Event()

        async def search(task: Task) -> Answers:
            await asyncio.sleep(0.005)
            return [[Hypothesis((1,), 0.0, 0.0)] for _ in task.sources]

        async def another(task: Task) -> Answers:
            return [[Hypothesis((2,), 0.0, 0.0)] for _ in task.sources]

        async def client() -> None:
            while not is_over.is_set():
                await batcher.search(search, task([1]))

        clients = [asyncio.create_task(client()) for _ in range(200)]
        await asyncio.sleep(0.1)
        asked = loop.time()
        async with asyncio.timeout(20):
            await batcher.search(another, task([2]))
        waited = loop.time() - asked
        is_over.set()
        await asyncio.gather(*clients)
        return waited

    assert simulate(scene()) < 10


@pytest.mark.parametrize("turns", range(8))
def test_a_place_is_free_again_if_its_batch_is_broken_off_before_it_has_begun(turns: int) -> None:
    """Whoever waits leaves just when it is their turn."""

    async def scene() -> None:
        engine, batcher = Engine(), Batcher(workers=1, most=100, stops=True)
        first = asyncio.create_task(batcher.search(engine.search, task([1])))
        await settle()
        leaving = asyncio.create_task(batcher.search(engine.search, task([2])))
        await settle()
        engine.may_go.set()
        for _ in range(turns):
            await asyncio.sleep(0)
        leaving.cancel()
        await first
        await settle()
        async with asyncio.timeout(10):
            found = await batcher.search(engine.search, task([3]))
        assert found[0][0].tokens == (3,)

    simulate(scene())

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from heedful.batches import Epoch

Lengths = NDArray[np.int32]


def random_lengths(n: int) -> tuple[Lengths, Lengths]:
    random = np.random.default_rng(5)
    source = random.integers(1, 40, n).astype(np.int32)
    return source, np.maximum(1, source + random.integers(-5, 6, n)).astype(np.int32)


def padding(plan: list[NDArray[np.int32]], source: Lengths, target: Lengths) -> float:
    """Share of padding among all positions of both sides."""
    padded = sum(len(r) * int(source[r].max() + target[r].max() + 2) for r in plan)
    return 1 - int((source + target + 2).sum()) / padded


@given(
    st.lists(st.tuples(st.integers(1, 70), st.integers(1, 70)), min_size=1, max_size=200),
    st.integers(1, 300),
)
@settings(deadline=None)
def test_every_pair_is_in_one_batch_and_no_batch_is_too_large(
    pairs: list[tuple[int, int]], batch_tokens: int
) -> None:
    source, target = (np.array(side, np.int32) for side in zip(*pairs, strict=True))
    plan = list(Epoch(source, target, batch_tokens=batch_tokens, seed=1, epoch=0))
    assert sorted(np.concatenate(plan).tolist()) == list(range(len(pairs)))
    for rows in plan:
        longest = max(source[rows].max(), target[rows].max()) + 1
        assert len(rows) * longest <= batch_tokens or len(rows) == 1


def test_the_order_hangs_on_seed_and_epoch_alone() -> None:
    lengths = random_lengths(2000)

    def plan(seed: int, epoch: int) -> list[list[int]]:
        plan = list(Epoch(*lengths, batch_tokens=500, seed=seed, epoch=epoch))
        return [rows.tolist() for rows in plan]

    assert plan(1, 3) == plan(1, 3)
    assert plan(1, 3) != plan(1, 4)
    assert plan(1, 3) != plan(2, 3)


def test_batches_come_in_no_order_of_length() -> None:
    source, target = random_lengths(5000)
    plan = list(Epoch(source, target, batch_tokens=1000, seed=1, epoch=0))
    widths = [float(target[rows].max()) for rows in plan]
    assert abs(np.corrcoef(widths, np.arange(len(widths)))[0, 1]) < 0.2


def test_large_corpora_are_sorted_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heedful.batches.bucketing.CHUNK", 700)
    source, target = random_lengths(2000)
    plan = list(Epoch(source, target, batch_tokens=500, seed=1, epoch=0))
    assert sorted(np.concatenate(plan).tolist()) == list(range(2000))


def test_planning_may_begin_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a resumed run does: it asks for a batch in the middle first."""
    monkeypatch.setattr("heedful.batches.bucketing.CHUNK", 300)
    lengths = random_lengths(1000)

    def epoch() -> Epoch:
        return Epoch(*lengths, batch_tokens=300, seed=1, epoch=0)

    plan = list(epoch())
    for start in range(len(plan)):
        resumed = epoch()
        rest = [resumed.batch(number) for number in range(start, len(plan))]
        assert [rows.tolist() for rows in rest] == [rows.tolist() for rows in plan[start:]]
        assert resumed.has(len(plan) - 1)
        assert not resumed.has(len(plan))


@pytest.mark.data
def test_padding_is_under_five_percent_on_multi30k(data_folder: Path) -> None:
    from heedful.text.tokenizer import Tokenizer

    sides: list[list[str]] = [
        (data_folder / "multi30k" / f"train.{side}").read_text().split("\n")[:-1]
        for side in ("en", "de")
    ]
    tokenizer = Tokenizer.learn(sides[0] + sides[1], kind="subwords", algorithm="bpe", size=8000)
    encoded: list[Any] = [tokenizer.encode_batch(side) for side in sides]
    source, target = (np.array([len(ids) for ids in side], np.int32) for side in encoded)
    plan = list(Epoch(source, target, batch_tokens=4096, seed=1, epoch=0))
    assert padding(plan, source, target) < 0.05

"""Operations, counted beside those worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from heedful.batches.prepare import prepare
from heedful.batches.prepared import Prepared
from heedful.comparison.flops import BATCH_TOKENS, BATCHES, training_flop
from heedful.models.build import build
from heedful.recipe import parse
from heedful.text.config import TextConfig
from heedful.text.corpus import ParallelCorpus
from heedful.training.checkpoint import Progress
from heedful.training.feed import Feed

from ..trained import sentences, write_pairs

D = 16


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    folder = tmp_path_factory.mktemp("flops")
    text = write_pairs(folder, sentences())
    config = TextConfig(source_tokens="words", target_tokens="words")
    corpus = ParallelCorpus(**text.options)
    return prepare(folder / "data", corpus, None, config, seed=1, watch=lambda *_: None)


def counted(data: Prepared, **settings: Any) -> float:
    facts = data.facts
    model = build(
        parse({"model": {"d_model": D, "n_layers": 1, **settings}}).model,
        source_vocabulary=facts.source_vocabulary,
        target_vocabulary=facts.target_vocabulary,
        max_length=facts.max_length,
    )
    return training_flop(model, data)


@pytest.mark.parametrize(("cell", "gates"), [("lstm", 4), ("gru", 3), ("rnn", 1)])
def test_a_recurrent_model(data: Prepared, cell: str, gates: int) -> None:
    """Forward and twice back: 6 operations for each weight and each word that passes it."""
    feed, progress, words, written = (
        Feed(data.train, batch_tokens=BATCH_TOKENS, seed=0), Progress(), 0, 0,
    )  # fmt: skip
    padded = 0
    for _ in range(BATCHES):
        batch = feed.next(progress)
        words += int(batch.source_mask.sum())
        padded += batch.target_in.numel()
        written += batch.n_tokens
    weights = gates * 2 * D * D
    output = D * data.facts.target_vocabulary
    expected = 6 * (weights * (words + padded) + output * written) / written
    assert counted(data, kind="rnn", cell=cell) == pytest.approx(expected, rel=0.1)


def test_attention_is_counted_however_it_is_computed(data: Prepared) -> None:
    with_two, with_one = (counted(data, n_layers=n, n_heads=2, d_ff=32) for n in (2, 1))
    # A layer's matrices: q, k, v, o (twice in the decoder) and two of the feed-forward network.
    matrices = 6 * (2 * (4 * D * D + 2 * 32 * D) + 4 * D * D)
    assert with_two - with_one > matrices

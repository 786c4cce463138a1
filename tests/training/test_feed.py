"""Batches in their seeded order, and whatever text they are made of."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from heedful.batches import Batch, PairStore, StoreWriter
from heedful.batches.prepare import prepare
from heedful.batches.splitting import Splitter
from heedful.text.bulk.packed import pack
from heedful.text.config import TextConfig
from heedful.text.corpus import ParallelCorpus
from heedful.text.special import BOS, EOS, PAD, TokenKind
from heedful.text.tidy import tidy
from heedful.training import feed as module
from heedful.training.checkpoint import Progress
from heedful.training.feed import Feed

from ..trained import Text, backwards, write_pairs

N_PAIRS = 47


@pytest.fixture
def store(tmp_path: Path) -> PairStore:
    """Pair i is i + 4, some times over, and as often i + 5."""
    lengths = [i % 7 + 1 for i in range(N_PAIRS)]
    with StoreWriter(tmp_path, "train") as out:
        sides = ([[i + k] * n for i, n in enumerate(lengths)] for k in (4, 5))
        out.extend(*(pack(side, np.uint16) for side in sides))
    return PairStore(tmp_path, "train", (1009, 1013))


def feed(store: PairStore, seed: int = 1) -> Feed:
    return Feed(store, batch_tokens=31, seed=seed)


def pairs(batch: Batch) -> list[int]:
    """Which pairs stand in a batch made by `store`."""
    return [int(row[0]) - 4 for row in batch.source]


def an_epoch(feed: Feed, progress: Progress) -> list[Batch]:
    epoch, found = progress.epoch, []
    while progress.epoch == epoch:
        found.append(feed.next(progress))
    return found


def test_an_epoch_has_each_pair_once_and_progress_tells_it(store: PairStore) -> None:
    made, progress = feed(store), Progress()
    first = an_epoch(made, progress)
    assert (progress.epoch, progress.batch) == (1, 0)
    assert progress.tokens == sum(batch.n_tokens for batch in first)
    assert progress.tokens == sum(i % 7 + 2 for i in range(N_PAIRS))
    second = an_epoch(made, progress)
    orders = [[n for batch in epoch for n in pairs(batch)] for epoch in (first, second)]
    assert [sorted(order) for order in orders] == [list(range(N_PAIRS))] * 2
    assert orders[0] != orders[1]
    assert progress.tokens == 2 * sum(i % 7 + 2 for i in range(N_PAIRS))


def test_sides_stay_together(store: PairStore) -> None:
    for batch in an_epoch(feed(store), Progress()):
        words = batch.target_out.masked_fill(batch.target_out == EOS, PAD)
        assert (words[:, 0] == batch.source[:, 0] + 1).all()


def test_it_goes_on_from_wherever_a_run_has_come_to(store: PairStore) -> None:
    """Also in the middle of an epoch, and behind its last batch."""
    made, progress = feed(store), Progress()
    places, order = [], []
    for _ in range(30):
        places.append((progress.epoch, progress.batch, progress.tokens))
        order.append(pairs(made.next(progress)))
    assert places[-1][0] >= 1
    for at in (1, 7, 12, 23):
        epoch, number, tokens = places[at]
        resumed, there = feed(store), Progress(epoch=epoch, batch=number, tokens=tokens)
        assert [pairs(resumed.next(there)) for _ in range(30 - at)] == order[at:]
        assert there == progress


def test_the_order_hangs_on_the_seed(store: PairStore) -> None:
    orders = [
        [pairs(batch) for batch in an_epoch(feed(store, seed), Progress())] for seed in (1, 1, 2)
    ]
    assert orders[0] == orders[1]
    assert orders[0] != orders[2]


def test_memory_is_handed_back(store: PairStore, monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[int] = []
    progress = Progress()
    monkeypatch.setattr(store, "let_go", lambda: times.append(progress.batch))
    n_batches = len(an_epoch(feed(store), progress))
    assert times == list(range(module.LET_GO_EVERY, n_batches + 1, module.LET_GO_EVERY))


LINE = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_characters="\n\0"), max_size=40),
    st.text("\x01\x1b\x7f\x85\r\t \u2028\u200d\ufeff▁", max_size=20),
    st.text("שלום عليكم 👩‍👧🏽é́́.!? 。각ᄀ", max_size=40),
)


@pytest.mark.parametrize("kind", ["subwords", "chars", "words"])
@given(st.lists(st.tuples(LINE, LINE), min_size=1, max_size=12))
@settings(deadline=None, max_examples=8, derandomize=True)
def test_any_text_becomes_batches(kind: TokenKind, wild: list[tuple[str, str]]) -> None:
    made = backwards(30)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = prepare(
            folder / "data",
            corpus(write_pairs(folder, made + wild)),
            corpus(write_pairs(folder / "valid", made[:5])),
            TextConfig(source_tokens=kind, target_tokens=kind, max_length=500),
            seed=1,
            watch=lambda *_: None,
        )
        tidied = [(tidy(s), tidy(t)) for s, t in made + wild]
        whole = sorted(pair for pair in tidied if all(pair))
        assert data.facts.blank == len(tidied) - len(whole)
        assert (data.facts.pairs, data.facts.too_long) == (len(whole), 0)
        sides: tuple[list[str], list[str]] = [], []
        for batch in an_epoch(Feed(data.train, batch_tokens=200, seed=1), Progress()):
            assert batch.source_mask.equal(batch.source != PAD)
            assert (batch.target_in[:, 0] == BOS).all()
            assert batch.n_tokens == int((batch.target_out != PAD).sum())
            sides[0].extend(map(data.source_tokenizer.decode, ids(batch.source)))
            sides[1].extend(map(data.target_tokenizer.decode, ids(batch.target_out)))
        if kind == "subwords":  # others have no bytes to spell what they do not know
            assert sorted(zip(*sides, strict=True)) == whole
        assert len(sides[0]) == len(whole)


def corpus(text: Text) -> ParallelCorpus:
    return ParallelCorpus(text.source, text.target)


def ids(side: Tensor) -> list[list[int]]:
    """The words of each row: there is nothing but padding behind the end mark, and none before."""
    rows: list[list[int]] = side.tolist()
    words = [row[: row.index(EOS)] for row in rows]
    for row, before in zip(rows, words, strict=True):
        assert PAD not in before
        assert set(row[len(before) + 1 :]) <= {PAD}
    return words


def test_cut_pieces_are_the_same_wherever_a_run_goes_on(tmp_path: Path) -> None:
    text = write_pairs(
        tmp_path, [("the cat sat", "a cat that sat"), ("that mat", "the fat cat")] * 20
    )
    corpus = ParallelCorpus(text.source, text.target)
    data = prepare(tmp_path / "data", corpus, corpus, TextConfig(), seed=1, watch=lambda *_: None)
    both = (data.source_tokenizer, data.target_tokenizer)

    def made() -> Feed:
        source, target = (Splitter(tokenizer, 0.5, 99) for tokenizer in both)
        return Feed(data.train, batch_tokens=60, seed=1, splitters=(source, target))

    whole = an_epoch(Feed(data.train, batch_tokens=60, seed=1), Progress())
    first, second = an_epoch(made(), Progress()), an_epoch(made(), Progress(epoch=1))
    assert sum(b.n_tokens for b in first) > sum(b.n_tokens for b in whole)
    assert [b.source.tolist() for b in first] != [b.source.tolist() for b in second]
    later = made().next(Progress(epoch=1, batch=2))
    assert torch.equal(later.source, second[2].source)
    assert torch.equal(later.target_out, second[2].target_out)

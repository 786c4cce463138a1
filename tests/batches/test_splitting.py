"""Pieces read as two smaller ones: the same text, and the same again for the same seed."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from heedful.batches.splitting import Splitter
from heedful.text.tokenizer import Tokenizer

LINES = ["the cat sat on the mat", "a cat and a hat", "the fat rat sat", "that cat that sat"] * 5


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.learn(LINES, algorithm="bpe", size=290)


def encoded(tokenizer: Tokenizer) -> list[NDArray[np.integer]]:
    return [np.array(ids, np.uint16) for ids in tokenizer.encode_batch(LINES)]


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_the_text_stays_the_same(tokenizer: Tokenizer, share: float) -> None:
    rows = encoded(tokenizer)
    found = Splitter(tokenizer, share, 99)(rows, np.random.default_rng(1))
    assert [tokenizer.decode(row.tolist()) for row in found] == LINES
    more = sum(map(len, found)) / sum(map(len, rows))
    assert (more == 1) == (share == 0)


def test_about_so_many_are_cut(tokenizer: Tokenizer) -> None:
    rows = encoded(tokenizer) * 20
    whole = np.concatenate(rows)
    splitter = Splitter(tokenizer, 0.1, 99)
    may_be_cut = (splitter._n_ways[whole] > 0).sum()
    found = splitter(rows, np.random.default_rng(3))
    cuts = sum(map(len, found)) - len(whole)
    assert 0.09 < cuts / may_be_cut < 0.13  # a tenth, and a tenth of their halves


def test_every_way_comes() -> None:
    """Of a word that is one piece, all cuts into two that the vocabulary has."""
    bananas = ["bananas banana anas nanas ban ana"] * 20
    tokenizer = Tokenizer.learn(bananas, algorithm="bpe", size=285)
    text = dict(tokenizer.text_pieces())
    by_text = {piece: index for index, piece in text.items()}

    def ways_of(word: str) -> set[tuple[str, str]]:
        cuts = {(word[:at], word[at:]) for at in range(1, len(word))}
        return {(left, right) for left, right in cuts if left in by_text and right in by_text}

    word = max(by_text, key=lambda word: len(ways_of(word)))
    ways = ways_of(word)
    assert len(ways) > 1
    rows = [np.array([by_text[word]])] * 200
    found = Splitter(tokenizer, 0.5, 2)(rows, np.random.default_rng(5))
    assert {tuple(text[i] for i in row.tolist()) for row in found} == ways | {(word,)}


def test_a_seed_gives_the_same_cuts(tokenizer: Tokenizer) -> None:
    splitter, rows = Splitter(tokenizer, 0.3, 99), encoded(tokenizer)

    def cut(seed: int) -> list[list[int]]:
        return [row.tolist() for row in splitter(rows, np.random.default_rng(seed))]

    assert cut(1) == cut(1) != cut(2)


def test_no_row_grows_beyond_the_longest(tokenizer: Tokenizer) -> None:
    rows = encoded(tokenizer)
    longest = max(map(len, rows))
    found = Splitter(tokenizer, 1.0, longest)(rows, np.random.default_rng(1))
    assert max(map(len, found)) <= longest
    assert [tokenizer.decode(row.tolist()) for row in found] == LINES

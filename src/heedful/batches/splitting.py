"""Subword regularisation (Kudo 2018; Provilkov et al. 2020): now and then a piece is read as two
smaller ones, so that a model learns what words are made of, and no sentence is ever quite the same.

It is done to ids, as a batch is made: the text is not needed, and what lies on disk stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heedful.text.tokenizer import Tokenizer

Rows = Sequence[NDArray[np.integer]]
ROUNDS = 2  # halves may be cut again


class Splitter:
    """Cuts each piece, with probability `share`, at a random one of the places at which both parts
    are pieces themselves."""

    def __init__(self, tokenizer: Tokenizer, share: float, longest: int) -> None:
        self._share, self._longest = share, longest
        ways = _ways(tokenizer)
        self._n_ways = np.array([len(each) for each in ways])
        self._first = self._n_ways.cumsum() - self._n_ways
        self._halves = np.array([halves for each in ways for halves in each]).reshape(-1, 2)

    def __call__(self, rows: Rows, random: np.random.Generator) -> list[NDArray[np.integer]]:
        """The rows with some pieces cut; one that would be longer than the longest stays whole."""
        ids = np.concatenate(rows).astype(np.int64)
        ends = np.cumsum([len(row) for row in rows])
        may_be_cut = np.arange(len(ids))  # places: of all, then of the halves
        for _ in range(ROUNDS):
            drawn = random.random(len(may_be_cut)) < self._share
            cut = may_be_cut[drawn & (self._n_ways[ids[may_be_cut]] > 0)]
            way = self._first[ids[cut]] + random.integers(self._n_ways[ids[cut]])
            ids[cut] = self._halves[way, 0]
            ids = np.insert(ids, cut + 1, self._halves[way, 1])
            ends += np.searchsorted(cut, ends)  # cuts before each end
            left = cut + np.arange(len(cut))
            may_be_cut = np.stack((left, left + 1), axis=1).ravel()
        cut_rows = np.split(ids, ends[:-1])
        return [
            new if len(new) <= self._longest else old
            for new, old in zip(cut_rows, rows, strict=True)
        ]


def _ways(tokenizer: Tokenizer) -> list[list[tuple[int, int]]]:
    """Of each piece: the pairs of pieces that it can be cut into."""
    texts = {piece: index for index, piece in tokenizer.text_pieces()}
    ways: list[list[tuple[int, int]]] = [[] for _ in range(len(tokenizer))]
    for piece, index in texts.items():
        for at in range(1, len(piece)):
            left, right = texts.get(piece[:at]), texts.get(piece[at:])
            if left is not None and right is not None:
                ways[index].append((left, right))
    return ways

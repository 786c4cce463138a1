"""Batches of sentences of like length, up to a budget of tokens, in a seeded order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

CHUNK = 500_000
"""So many pairs are sorted by length at a time: all of a small corpus, and of a large one a random
part, so that starting an epoch stays quick and its order stays random."""

Rows = NDArray[np.int32]


class Epoch:
    """The batches of one epoch. The same arguments give the same batches, anywhere.

    Each row is in exactly one batch. A batch's rows times its longest side, end mark included, is
    at most `batch_tokens` (a single longer pair is a batch of its own).

    They are planned a chunk at a time, when they are asked for: the first batch of a large corpus
    is soon there. Planning goes forward only.
    """

    def __init__(
        self,
        source_lengths: NDArray[np.int32],
        target_lengths: NDArray[np.int32],
        *,
        batch_tokens: int,
        seed: int,
        epoch: int,
    ) -> None:
        self._lengths = source_lengths, target_lengths
        self._batch_tokens = batch_tokens
        self._random = np.random.default_rng([seed, epoch])
        self._left: Rows = self._random.permutation(len(source_lengths)).astype(np.int32)
        self._chunk: list[Rows] = []
        self._first = 0  # number of the chunk's first batch

    def __iter__(self) -> Iterator[Rows]:
        number = 0
        while self.has(number):
            yield self.batch(number)
            number += 1

    def has(self, number: int) -> bool:
        """Whether there are more than `number` batches."""
        while number >= self._first + len(self._chunk) and len(self._left):
            self._plan_on()
        return number < self._first + len(self._chunk)

    def batch(self, number: int) -> Rows:
        """The rows of a batch, counted from 0; not of one before those asked for already."""
        assert number >= self._first
        assert self.has(number)
        return self._chunk[number - self._first]

    def _plan_on(self) -> None:
        rows, self._left = self._left[:CHUNK], self._left[CHUNK:]
        source, target = (side[rows] for side in self._lengths)
        order = _by_length(source, target)
        rows, longest = rows[order], np.maximum(source, target)[order] + 1
        cut = _cut(longest, self._batch_tokens)
        batches = [rows[a:b] for a, b in zip([0, *cut], cut, strict=False)]
        self._first += len(self._chunk)
        self._chunk = [batches[i] for i in self._random.permutation(len(batches))]


def _by_length(source: NDArray[np.int32], target: NDArray[np.int32]) -> NDArray[np.intp]:
    """Sorts by the longer side, then by how much the source is longer, up and down in turn, so
    that the other side does not jump from short to long where the longer one grows by one (on
    Multi30k 3.6 % padding instead of 5.5). Rows of the same lengths stay shuffled."""
    longer, difference = np.maximum(source, target), source - target
    return np.lexsort((np.where(longer % 2 == 0, difference, -difference), longer))


def _cut(longest: NDArray[np.int32], batch_tokens: int) -> list[int]:
    """Where each batch ends, taking as many rows as the budget allows."""
    ends: list[int] = []
    start = 0
    while start < len(longest):
        most = max(1, batch_tokens // int(longest[start]))
        width = np.maximum.accumulate(longest[start : start + most])
        cost = width.astype(np.int64) * np.arange(1, len(width) + 1)
        start += max(1, int(np.searchsorted(cost, batch_tokens, side="right")))
        ends.append(start)
    return ends

"""A block of pairs as text -> the same pairs as ids. What the processes of `crew.py` do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heedful.text.bulk.encoder import BulkEncoder
from heedful.text.bulk.packed import Packed
from heedful.text.corpus import Block, Pair
from heedful.text.tidy import line_hashes, tidy_pairs


@dataclass(frozen=True)
class Task:
    """A block, and which of its usable pairs are not to be trained on."""

    block: Block
    aside: tuple[int, ...] = ()


@dataclass(frozen=True)
class Encoded:
    """What becomes of a block."""

    source: Packed
    target: Packed
    hashes: NDArray[np.uint64]  # of all sources but those set aside
    aside: list[Pair]
    usable: int  # pairs with text on both sides
    too_long: int


class PairEncoder:
    """Made from the tokenizers' model files, so that it can be made in another process."""

    def __init__(self, source: bytes, target: bytes, longest: int) -> None:
        self._source = BulkEncoder(source)
        self._target = self._source if target == source else BulkEncoder(target)
        self._longest = longest

    def __call__(self, task: Task) -> Encoded:
        """All usable pairs but those set aside, unless a side has more than `longest` tokens."""
        sources, targets = tidy_pairs(*(side.decode() for side in task.block))
        usable = len(sources)
        aside = [(sources[row], targets[row]) for row in task.aside]
        for row in sorted(task.aside, reverse=True):
            del sources[row], targets[row]
        source, target = self._source.encode(sources), self._target.encode(targets)
        fits = np.maximum(source.lengths, target.lengths) <= self._longest
        return Encoded(
            source=source.only(fits),
            target=target.only(fits),
            hashes=line_hashes(sources),
            aside=aside,
            usable=usable,
            too_long=int((~fits).sum()),
        )

"""A block of pairs as text -> the same pairs as ids. What the processes of `crew.py` do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from heedful.text.bulk.encoder import BulkEncoder
from heedful.text.bulk.packed import Packed
from heedful.text.corpus import Block
from heedful.text.tidy import line_hashes, tidy_pairs


@dataclass(frozen=True)
class Encoded:
    """What becomes of a block."""

    source: Packed
    target: Packed
    hashes: NDArray[np.uint64]  # of all sources but those set aside
    usable: int  # pairs with text on both sides
    aside: int  # of these, pairs whose source is set aside
    too_long: int  # of the rest


class PairEncoder:
    """Made from the tokenizers' model files, so that it can be made in another process.

    Pairs whose source has one of the hashes `aside` are left out.
    """

    def __init__(
        self, source: bytes, target: bytes, longest: int, aside: Sequence[int] = ()
    ) -> None:
        self._source = BulkEncoder(source)
        self._target = self._source if target == source else BulkEncoder(target)
        self._longest = longest
        self._aside = np.array(aside, np.uint64)

    def __call__(self, block: Block) -> Encoded:
        """All usable pairs but those set aside, unless a side has more than `longest` tokens."""
        sources, targets = tidy_pairs(*(side.decode() for side in block))
        usable, hashes = len(sources), line_hashes(sources)
        stays = ~np.isin(hashes, self._aside)
        if not stays.all():
            hashes = hashes[stays]
            sources, targets = list(compress(sources, stays)), list(compress(targets, stays))
        source, target = self._source.encode(sources), self._target.encode(targets)
        fits = np.maximum(source.lengths, target.lengths) <= self._longest
        return Encoded(
            source=source.only(fits),
            target=target.only(fits),
            hashes=hashes,
            usable=usable,
            aside=usable - len(sources),
            too_long=int((~fits).sum()),
        )

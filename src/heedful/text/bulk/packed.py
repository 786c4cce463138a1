"""Many sentences as one row of ids: the form in which they are made, sent and kept on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

IdType = type[np.uint16] | type[np.int32]


def id_type(vocabulary: int) -> IdType:
    """The smallest type that holds every id."""
    return np.uint16 if vocabulary <= 2**16 else np.int32


@dataclass(frozen=True)
class Packed:
    """All ids one after another, and how many belong to each sentence."""

    ids: NDArray[np.integer]
    lengths: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.lengths)

    def only(self, wanted: NDArray[np.bool_]) -> Packed:
        """The sentences for which `wanted` is true."""
        if wanted.all():
            return self
        return Packed(self.ids[np.repeat(wanted, self.lengths)], self.lengths[wanted])


def pack(sentences: Sequence[Sequence[int]], dtype: IdType) -> Packed:
    """Lists of ids -> one row."""
    lengths = np.fromiter(map(len, sentences), np.int32, len(sentences))
    n_ids = int(lengths.sum(dtype=np.int64))
    return Packed(np.fromiter(chain.from_iterable(sentences), dtype, n_ids), lengths)

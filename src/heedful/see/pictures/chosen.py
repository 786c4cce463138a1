"""Which heads a picture shows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heedful.errors import InputError
from heedful.see.recording.attention import Attention


def chosen_heads(attention: Attention, heads: int | Sequence[int] | None) -> tuple[int, ...]:
    """Heads counted from 1, as layers are; None stands for all of them."""
    if not attention.queries or not attention.keys:
        raise InputError(
            f"{attention.name}: nothing to draw, got {len(attention.queries)} queries and "
            f"{len(attention.keys)} keys, wanted at least one of each"
        )
    if heads is None:
        return tuple(range(1, attention.n_heads + 1))
    chosen = (heads,) if isinstance(heads, int) else tuple(heads)
    wrong = [head for head in chosen if not 1 <= head <= attention.n_heads]
    if wrong or not chosen:
        raise InputError(
            f"{attention.name}: got heads {list(chosen)}, wanted some of 1 to {attention.n_heads}"
        )
    return chosen


def mean_weights(attention: Attention, heads: Sequence[int]) -> NDArray[np.float32]:
    """(queries, keys): the mean over heads counted from 1."""
    picked = attention.weights[[head - 1 for head in heads]]
    return np.asarray(picked.mean(axis=0), dtype=np.float32)


def describe(attention: Attention, heads: Sequence[int]) -> str:
    """Such as "cross 2, head 5" or "cross 2, mean of 8 heads"."""
    if len(heads) == 1:
        return f"{attention.name}, head {heads[0]}"
    return f"{attention.name}, mean of {len(heads)} heads"

"""One query's way through attention, in numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heedful.errors import InputError
from heedful.see.recording.attention import Attention, Floats, Vectors


@dataclass(frozen=True, eq=False)
class Walk:
    """softmax(score / divisor) v, step by step, for one query of one head."""

    query: str
    keys: tuple[str, ...]
    score: str
    """The formula of the products."""
    products: Floats
    """(keys,)."""
    divisor: float
    scores: Floats
    """(keys,): divided."""
    masked: Floats
    """(keys,): -inf where the query may not look."""
    softmax: Floats
    """(keys,)."""
    weights: Floats
    """(keys,): after the softmax, and times a factor where the model has one."""
    undivided: Floats
    """(keys,): what the weights would be without the division."""
    vectors: Vectors
    context: Floats
    """(d_v,): the sum of the weighted values."""
    outcome: Floats
    """(d,): what the model makes of it."""
    made_by: str
    """The layer that makes it."""
    joined: Floats | None
    """(d',): what goes into that layer, if that is more than the context."""


def walk(attention: Attention, head: int, query: int) -> Walk:
    """Of a head (from 1) whose vectors were recorded, and a query (from 0)."""
    working = attention.working
    if working is None:
        raise InputError(f"{attention.name} has no queries, keys and values to walk through")
    if not 1 <= head <= attention.n_heads:
        raise InputError(f"{attention.name}: got head {head}, wanted 1 to {attention.n_heads}")
    if head not in working.vectors:
        raise InputError(
            f"{attention.name}, head {head}: its queries, keys and values were not recorded; ask "
            f"for them with attend(…, vectors=[({attention.kind!r}, {attention.layer}, {head})])"
        )
    if not 0 <= query < len(attention.queries):
        raise InputError(
            f"{attention.name}: got query {query}, wanted 0 to {len(attention.queries) - 1}"
        )
    vectors, mask = working.vectors[head], working.mask[query]
    products = working.products[head - 1, query]
    weights = attention.weights[head - 1, query]
    return Walk(
        attention.queries[query],
        attention.keys,
        working.score,
        products,
        working.divisor,
        working.scores[head - 1, query],
        working.masked[head - 1, query],
        softmax(working.masked[head - 1, query]),
        weights,
        softmax(np.where(mask, products, -np.inf)),
        vectors,
        np.asarray(weights @ vectors.values, dtype=np.float32),
        working.outcome[query],
        working.made_by,
        None if working.joined is None else working.joined[query],
    )


def softmax(scores: Floats) -> Floats:
    """Over the last axis."""
    shifted = np.exp(scores.astype(np.float64) - scores.max(-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(-1, keepdims=True), dtype=np.float32)

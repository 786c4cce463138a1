"""Which layer, heads and word a picture shows."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heedful.errors import InputError
from heedful.see.recording.attention import Attention, Kind
from heedful.see.recording.record import Record
from heedful.text.special import SPACE

_MARKS_AROUND = re.compile(r"^\W+|\W+$")


def chosen_attention(record: Record, kind: Kind | None, layer: int | None) -> Attention:
    """The attention of a kind and layer (from 1). Unless given, the kind is that over the source,
    and the layer the one that aligns best, or the last of another kind."""
    kind = kind or record.alignment.kind
    layers = [a.layer for a in record.attentions if a.kind == kind]
    if layer is None and layers and kind in ("cross", "saliency"):
        return record.alignment
    return record.get(kind, max(layers, default=1) if layer is None else layer)


def chosen_query(attention: Attention, word: str) -> int:
    """The position of a word among the queries, from 0; it:2 is the second "it". The punctuation
    around a word may be left out."""
    known = [{query, _bare(query)} for query in attention.queries]
    text, number = word, 1
    base, _, count = text.rpartition(":")
    if base and count.isdecimal() and not any(text in names for names in known):
        text, number = base, int(count)
    places = [place for place, names in enumerate(known) if text in names]
    if not 1 <= number <= len(places):
        raise InputError(
            f"{word!r} does not look in {attention.name}; these do: {' '.join(attention.queries)}"
        )
    return places[number - 1]


def _bare(word: str) -> str:
    """Without ▁, and without the punctuation around it unless it is nothing else."""
    text = word.removeprefix(SPACE)
    inside = _MARKS_AROUND.sub("", text)
    return inside or text


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

"""What a model attended to while it turned one source into one target; pictures draw this."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.see.words import join_words, word_starts

Kind = Literal["encoder", "decoder", "cross", "saliency"]
"""Three attentions and, for a model without any, what its gradients say of the source."""


@dataclass(frozen=True, eq=False)
class Attention:
    """The attention weights of one layer, and the words along both sides."""

    kind: Kind
    layer: int
    """From 1, as papers count."""
    weights: NDArray[np.float32]
    """(heads, query positions, key positions); kept as a copy that cannot be written to."""
    queries: tuple[str, ...]
    """Those that look."""
    keys: tuple[str, ...]
    """Those looked at."""

    def __post_init__(self) -> None:
        weights = np.array(self.weights, dtype=np.float32)
        weights.setflags(write=False)
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "queries", tuple(self.queries))
        object.__setattr__(self, "keys", tuple(self.keys))
        self._check()

    def _check(self) -> None:
        if self.kind not in get_args(Kind):
            raise ValueError(f"got attention kind {self.kind!r}, wanted one of {get_args(Kind)}")
        if self.layer < 1:
            raise ValueError(f"{self.name}: got layer {self.layer}, wanted 1 or more")
        shape = self.weights.shape
        if len(shape) != 3 or shape[0] < 1:
            raise ValueError(
                f"{self.name}: got weights of shape {shape}, wanted (heads, queries, keys)"
            )
        if shape[1:] != (len(self.queries), len(self.keys)):
            raise ValueError(
                f"{self.name}: got weights of shape {shape} for {len(self.queries)} queries and "
                f"{len(self.keys)} keys, wanted one row a query and one column a key"
            )
        if not np.isfinite(self.weights).all():
            raise ValueError(f"{self.name}: got weights that are not finite, wanted 0 to 1")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Attention):
            return NotImplemented
        mine = (self.kind, self.layer, self.queries, self.keys)
        same = mine == (other.kind, other.layer, other.queries, other.keys)
        return same and np.array_equal(self.weights, other.weights)

    __hash__ = None  # type: ignore[assignment]  # arrays have no hash

    @property
    def name(self) -> str:
        """Such as "encoder 1"."""
        return f"{self.kind} {self.layer}"

    @property
    def n_heads(self) -> int:
        return int(self.weights.shape[0])

    def by_words(self) -> Attention:
        """The same with pieces merged to words; rows that sum to one still do.

        A word looks as its pieces do on average, and is looked at as much as all of them.
        """
        to_words = _sum_groups(self.weights, word_starts(self.keys), axis=2)
        starts = word_starts(self.queries)
        n_pieces = np.diff([*starts, len(self.queries)]).astype(np.float32)
        from_words = _sum_groups(to_words, starts, axis=1) / n_pieces[None, :, None]
        return replace(
            self,
            weights=from_words,
            queries=join_words(self.queries),
            keys=join_words(self.keys),
        )


@dataclass(frozen=True)
class Record:
    """One source, its target, and every attention in between."""

    source: str
    target: str
    source_pieces: tuple[str, ...]
    target_pieces: tuple[str, ...]
    attentions: tuple[Attention, ...]

    def get(self, kind: Kind, layer: int) -> Attention:
        """The attention of one layer, counted from 1."""
        for attention in self.attentions:
            if (attention.kind, attention.layer) == (kind, layer):
                return attention
        known = ", ".join(attention.name for attention in self.attentions) or "none"
        why = "; the model has no attention" if not self.has_attention else ""
        raise HeedfulError(f"no attention {kind} {layer} in this record, which has: {known}{why}")

    @property
    def has_attention(self) -> bool:
        """Whether the model attends at all; if it does not, saliency stands in for it."""
        return any(attention.kind != "saliency" for attention in self.attentions)

    @property
    def alignment(self) -> Attention:
        """What best tells which source words a target word comes from: the last attention over the
        source, or the saliency."""
        over_source = [a for a in self.attentions if a.kind in ("cross", "saliency")]
        return max(over_source, key=lambda attention: attention.layer)

    def by_words(self) -> Record:
        """The same record with pieces merged to words."""
        return replace(
            self,
            source_pieces=join_words(self.source_pieces),
            target_pieces=join_words(self.target_pieces),
            attentions=tuple(attention.by_words() for attention in self.attentions),
        )


def _sum_groups(weights: NDArray[np.float32], starts: list[int], axis: int) -> NDArray[np.float32]:
    """Sum the neighbours between one start and the next."""
    if not starts:
        return weights
    return np.add.reduceat(weights, starts, axis=axis, dtype=np.float32)

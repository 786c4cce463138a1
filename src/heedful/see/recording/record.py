"""What a model attended to while it turned one source into one target; pictures draw this."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.see.recording.words import join_words, word_starts

Kind = Literal["encoder", "decoder", "cross", "saliency"]
"""Three attentions and, for a model without any, what its gradients say of the source."""

Floats = NDArray[np.float32]
_ROUNDING = 1e-3


@dataclass(frozen=True, eq=False)
class Vectors:
    """Of one head: what is multiplied and summed."""

    queries: Floats
    """(query positions, d_k)."""
    keys: Floats
    """(key positions, d_k)."""
    values: Floats
    """(key positions, d_v)."""

    @property
    def of_keys(self) -> tuple[tuple[str, Floats], tuple[str, Floats]]:
        """Those that have a row for each key, by name."""
        return ("keys", self.keys), ("values", self.values)


@dataclass(frozen=True, eq=False)
class Working:
    """How weights came about: softmax(products / divisor) where the mask allows, times a factor
    if there is one."""

    score: str
    """What the products are: "q · k", or another formula."""

    products: Floats
    """(heads, query positions, key positions)."""
    divisor: float
    """√d_k, or 1 where nothing is divided."""
    mask: NDArray[np.bool_]
    """(query positions, key positions), True = may look."""
    outcome: Floats
    """(query positions, d): what the model makes of what was found."""
    made_by: str
    """The layer that makes it."""
    joined: Floats | None
    """(query positions, d'): what goes into that layer, of models that put more beside what was
    found, as the recurrent ones do."""
    factor: Floats | None
    """(query positions, key positions): what the weights are multiplied by after the softmax."""
    vectors: dict[int, Vectors]
    """By head, from 1, of those that were asked for."""

    def check(self, weights: Floats) -> None:
        """Raises ValueError if it cannot be the working of these weights."""
        heads, n_queries, n_keys = weights.shape
        wanted = [
            ("products", self.products, (heads, n_queries, n_keys)),
            ("mask", self.mask, (n_queries, n_keys)),
            ("outcome", self.outcome, (n_queries, None)),
        ]
        if self.joined is not None:
            wanted.append(("joined", self.joined, (n_queries, None)))
        if self.factor is not None:
            wanted.append(("factor", self.factor, (n_queries, n_keys)))
        for head, of in self.vectors.items():
            if not 1 <= head <= heads:
                raise ValueError(f"got vectors of head {head}, wanted 1 to {heads}")
            wanted.append(("queries", of.queries, (n_queries, None)))
            wanted += [(n, part, (n_keys, None)) for n, part in of.of_keys]
        for name, array, shape in wanted:
            if len(array.shape) != len(shape) or any(
                want not in (None, got) for got, want in zip(array.shape, shape, strict=True)
            ):
                raise ValueError(f"got {name} of shape {array.shape}, wanted {shape}")
        if self.mask.dtype != np.bool_:
            raise ValueError(f"got a mask of {self.mask.dtype}, wanted true and false")
        if not self.divisor > 0:
            raise ValueError(f"got divisor {self.divisor}, wanted more than 0")

    @property
    def scores(self) -> Floats:
        """Divided, not masked yet."""
        return np.asarray(self.products / np.float32(self.divisor), dtype=np.float32)

    @property
    def masked(self) -> Floats:
        """What the softmax gets."""
        return np.where(self.mask, self.scores, -np.inf).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Attention:
    """The attention weights of one layer, and the words along both sides."""

    kind: Kind
    layer: int
    """From 1, as papers count."""
    weights: Floats
    """(heads, query positions, key positions); kept as a copy that cannot be written to."""
    queries: tuple[str, ...]
    """Those that look."""
    keys: tuple[str, ...]
    """Those looked at."""
    working: Working | None = None
    """None where pieces were merged to words, and for saliency."""

    def __post_init__(self) -> None:
        weights = np.array(self.weights, dtype=np.float32)
        weights.setflags(write=False)
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "queries", tuple(self.queries))
        object.__setattr__(self, "keys", tuple(self.keys))
        self._check()
        self._check_values()

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
        if self.working is not None:
            self.working.check(self.weights)

    def _check_values(self) -> None:
        for word in (*self.queries, *self.keys):
            if not isinstance(word, str):
                raise ValueError(f"{self.name}: got {word!r} for a word, wanted text")
        if not np.isfinite(self.weights).all():
            raise ValueError(f"{self.name}: got weights that are not finite, wanted 0 to 1")
        least, most = self.weights.min(initial=0), self.weights.max(initial=0)
        if least < 0 or most > 1 + _ROUNDING:
            raise ValueError(f"{self.name}: got weights from {least} to {most}, wanted 0 to 1")

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
        to_words = self.keys_by_words()
        starts = word_starts(self.queries)
        n_pieces = np.diff([*starts, len(self.queries)]).astype(np.float32)
        from_words = _sum_groups(to_words.weights, starts, axis=1) / n_pieces[None, :, None]
        return replace(to_words, weights=from_words, queries=join_words(self.queries))

    def keys_by_words(self) -> Attention:
        """Pieces that look at words."""
        weights = _sum_groups(self.weights, word_starts(self.keys), axis=2)
        return replace(self, weights=weights, keys=join_words(self.keys), working=None)


Fate = Literal["goes on", "ends", "given up"]


@dataclass(frozen=True)
class Candidate:
    """A piece that might come next."""

    piece: str
    id: int
    probability: float


@dataclass(frozen=True)
class Node:
    """A piece that the search has put behind another: together they are a tree."""

    parent: int | None
    """The node before it, by its place among all; None at the beginning."""
    step: int
    """Pieces from the beginning, this one included."""
    piece: str
    probability: float
    """Of the piece, after those before it."""
    log_prob: float
    """Of all up to it."""
    fate: Fate
    chosen: bool
    """Whether it is part of the translation."""


@dataclass(frozen=True)
class Record:
    """One source, its target, and every attention in between."""

    source: str
    target: str
    source_pieces: tuple[str, ...]
    target_pieces: tuple[str, ...]
    attentions: tuple[Attention, ...]
    predictions: tuple[tuple[Candidate, ...], ...] = ()
    """For each target piece, the likeliest in its place, best first; the piece itself is the last
    if it is none of them. Empty where pieces were merged to words."""
    search: tuple[Node, ...] = ()
    """What the search looked at, step by step; empty where the target was given."""
    model: str = ""
    """Its shape in a few words."""
    target_ids: tuple[int, ...] = ()
    """What the model wrote, with the end mark unless it came to no end."""
    languages: tuple[str, str] = ("", "")
    """The codes of source and target, if they are known."""
    alignment_layer: int | None = None
    """Whose attention over the source tells best which words belong together, from 1; None if it is
    not known."""

    def __post_init__(self) -> None:
        if self.predictions and len(self.predictions) != len(self.target_pieces):
            raise ValueError(
                f"got predictions for {len(self.predictions)} pieces, wanted "
                f"{len(self.target_pieces)}"
            )
        for place, node in enumerate(self.search):
            is_known = node.parent is None or 0 <= node.parent < place
            if not is_known or node.fate not in get_args(Fate) or node.step < 1:
                raise ValueError(f"got a search that is no tree at its node {place}: {node}")

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
        """What best tells which source words a target word comes from: the attention over the
        source of the layer that is known for it, or else of the last, or the saliency."""
        over_source = {a.layer: a for a in self.attentions if a.kind in ("cross", "saliency")}
        if not over_source:
            raise HeedfulError("this record has no attention over the source")
        best = self.alignment_layer
        return over_source[best if best in over_source else max(over_source)]

    def by_words(self) -> Record:
        """The same record with pieces merged to words."""
        return replace(
            self,
            source_pieces=join_words(self.source_pieces),
            target_pieces=join_words(self.target_pieces),
            attentions=tuple(attention.by_words() for attention in self.attentions),
            predictions=(),
            search=(),
        )

    def _repr_mimebundle_(self, **how: Any) -> Any:
        """In a notebook a record shows itself, if the extra `notebook` is installed."""
        try:
            from heedful.page.widget import widget
        except ImportError:
            return {"text/plain": f"{self.source} → {self.target} (pip install heedful[notebook])"}
        return widget(self)._repr_mimebundle_(**how)

    def to_json(self) -> str:
        """As text that `from_json`, and the page, can read; see `recording/record_json.py`."""
        from heedful.see.recording.record_json import to_json

        return to_json(self)

    @staticmethod
    def from_json(text: str, *, where: str = "the record") -> Record:
        """What `to_json` wrote."""
        from heedful.see.recording.record_json import from_json

        return from_json(text, where=where)


def _sum_groups(weights: Floats, starts: list[int], axis: int) -> Floats:
    """Sum the neighbours between one start and the next."""
    if not starts:
        return weights
    return np.add.reduceat(weights, starts, axis=axis, dtype=np.float32)

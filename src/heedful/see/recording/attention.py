"""The attention of one layer: its weights, and how they came about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from heedful.see.recording.words import join_words, word_starts

Kind = Literal["encoder", "decoder", "cross", "saliency"]
"""Three attentions and, for a model without any, what its gradients say of the source."""

Floats = NDArray[np.float32]
_ROUNDING = 1e-3


@dataclass(frozen=True, eq=False, repr=False)
class Vectors:
    """Of one head: what is multiplied and summed."""

    queries: Floats
    """(query positions, d_k)."""
    keys: Floats
    """(key positions, d_k)."""
    values: Floats
    """(key positions, d_v)."""

    def __repr__(self) -> str:
        """The shapes alone."""
        parts = (("queries", self.queries), *self.of_keys)
        return f"Vectors({', '.join(f'{name} {array.shape}' for name, array in parts)})"

    @property
    def of_keys(self) -> tuple[tuple[str, Floats], tuple[str, Floats]]:
        """Those that have a row for each key, by name."""
        return ("keys", self.keys), ("values", self.values)


@dataclass(frozen=True, eq=False, repr=False)
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

    def __repr__(self) -> str:
        """The formula and the shapes, without the numbers."""
        formula = f"softmax({self.score} / {self.divisor:.4g})"
        heads = ", ".join(map(str, sorted(self.vectors))) or "none"
        return f"Working({formula}, products {self.products.shape}, vectors of heads: {heads})"

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


@dataclass(frozen=True, eq=False, repr=False)
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

    def __repr__(self) -> str:
        """The sizes, without the numbers."""
        sizes = f"heads {self.n_heads}, queries {len(self.queries)}, keys {len(self.keys)}"
        return f"Attention({self.name}: {sizes})"

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


def _sum_groups(weights: Floats, starts: list[int], axis: int) -> Floats:
    """Sum the neighbours between one start and the next."""
    if not starts:
        return weights
    return np.add.reduceat(weights, starts, axis=axis, dtype=np.float32)

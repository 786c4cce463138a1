"""What a model attended to while it turned one source into one target; pictures draw this."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.see.words import join_words, word_starts

Kind = Literal["encoder", "decoder", "cross"]

_FORMAT = "heedful attention record"
_VERSION = 1


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
        raise HeedfulError(f"no attention {kind} {layer} in this record, which has: {known}")

    def by_words(self) -> Record:
        """The same record with pieces merged to words."""
        return replace(
            self,
            source_pieces=join_words(self.source_pieces),
            target_pieces=join_words(self.target_pieces),
            attentions=tuple(attention.by_words() for attention in self.attentions),
        )

    def to_json(self) -> str:
        """As text that `from_json` reads back to the last bit."""
        data = {
            "format": _FORMAT,
            "version": _VERSION,
            "source": self.source,
            "target": self.target,
            "source_pieces": self.source_pieces,
            "target_pieces": self.target_pieces,
            "attentions": [_attention_to_data(attention) for attention in self.attentions],
        }
        return json.dumps(data, ensure_ascii=False, allow_nan=False)

    @staticmethod
    def from_json(text: str, *, where: str = "the attention record") -> Record:
        """Read what `to_json` wrote; `where` names the file in an error."""
        try:
            data = json.loads(text)
        except ValueError as error:
            raise _damaged(where, f"it is not JSON ({error})") from error
        if not isinstance(data, dict) or data.get("format") != _FORMAT:
            raise _damaged(where, f"it does not say 'format': {_FORMAT!r}")
        if data.get("version") != _VERSION:
            raise HeedfulError(
                f"{where} has version {data.get('version')!r}, this heedful reads {_VERSION}: "
                "update heedful, or make the record again"
            )
        try:
            return Record(
                source=_text(data["source"]),
                target=_text(data["target"]),
                source_pieces=_labels(data["source_pieces"]),
                target_pieces=_labels(data["target_pieces"]),
                attentions=tuple(_attention_from_data(item) for item in data["attentions"]),
            )
        except KeyError as error:
            raise _damaged(where, f"it lacks {error}") from error
        except (TypeError, ValueError, AttributeError, OverflowError) as error:
            raise _damaged(where, str(error)) from error


def _sum_groups(weights: NDArray[np.float32], starts: list[int], axis: int) -> NDArray[np.float32]:
    """Sum the neighbours between one start and the next."""
    if not starts:
        return weights
    return np.add.reduceat(weights, starts, axis=axis, dtype=np.float32)


def _attention_to_data(attention: Attention) -> dict[str, Any]:
    # The shortest text of a float32 (0.1, not 0.10000000149011612) is exact and half as long.
    short = np.array([float(x) for x in attention.weights.ravel().astype(str)], dtype=np.float64)
    return {
        "kind": attention.kind,
        "layer": attention.layer,
        "queries": attention.queries,
        "keys": attention.keys,
        "weights": short.reshape(attention.weights.shape).tolist(),
    }


def _attention_from_data(data: Any) -> Attention:
    queries, keys = _labels(data["queries"]), _labels(data["keys"])
    if not isinstance(data["layer"], int):
        raise TypeError(f"got layer {data['layer']!r}, wanted a whole number")
    weights = np.array(data["weights"], dtype=np.float32)
    return Attention(data["kind"], data["layer"], weights, queries, keys)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"got {value!r}, wanted a text")
    return value


def _labels(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise TypeError(f"got {values!r}, wanted a list of texts")
    return tuple(_text(value) for value in values)


def _damaged(where: str, reason: str) -> HeedfulError:
    return HeedfulError(f"{where} is damaged: {reason}; make the record again")

"""How well a query q fits a key k: the scores that all attention is made of, side by side.

dot          q · k                       Luong 2015
scaled_dot   q · k / √d_k                Vaswani 2017
cosine       β q · k / (|q| |k|)         Graves 2014, with a sharpness β that is learnt
general      qᵀ W k                      Luong 2015
additive     vᵀ tanh(W q + U k)          Bahdanau 2015; Luong's concat, written out
location     (W q)_j for the j-th key    Luong 2015; the key itself is not looked at
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from heedful.errors import did_you_mean


def dot(query: Tensor, key: Tensor) -> Tensor:
    """q · k: (..., L, d), (..., M, d) -> (..., L, M)."""
    return query @ key.transpose(-2, -1)


def scaled_dot(query: Tensor, key: Tensor) -> Tensor:
    """q · k / √d_k. If the elements of both have variance 1, so has this; `dot` has d_k."""
    return dot(query / math.sqrt(query.shape[-1]), key)


def cosine(query: Tensor, key: Tensor) -> Tensor:
    """q · k / (|q| |k|): the angle between them alone."""
    return dot(F.normalize(query, dim=-1), F.normalize(key, dim=-1))


class Score(nn.Module, ABC):
    """A score, with what it learns. Heads that share one differ by their projections."""

    formula: ClassVar[str] = "q · k"
    """Before anything is divided."""
    is_fused: ClassVar[bool] = False
    """Whether it is the one that kernels for whole attentions know by heart."""

    def divisor(self, width: int) -> float:
        """What it divides by, for queries of this width."""
        return 1.0

    def keys(self, key: Tensor) -> Tensor:
        """What can be worked out of the keys (..., M, d_key) once, however many queries come."""
        return key

    @abstractmethod
    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        """query (..., L, d_query), keys as `keys` gave them -> (..., L, M)."""


class Dot(Score):
    """q · k."""

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        return dot(query, keys)


class ScaledDot(Score):
    """q · k / √d_k."""

    is_fused = True

    def divisor(self, width: int) -> float:
        return math.sqrt(width)

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        return scaled_dot(query, keys)


class Cosine(Score):
    """β q · k / (|q| |k|)."""

    formula = "β cos(q, k)"

    def __init__(self) -> None:
        super().__init__()
        self.sharpness = nn.Parameter(torch.tensor(10.0))  # without it no weight could stand out

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        return self.sharpness * cosine(query, keys)


class General(Score):
    """qᵀ W k."""

    formula = "qᵀ W k"

    def __init__(self, *, d_query: int, d_key: int) -> None:
        super().__init__()
        self.w = nn.Linear(d_key, d_query, bias=False)

    def keys(self, key: Tensor) -> Tensor:
        projected: Tensor = self.w(key)
        return projected

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        return dot(query, keys)


class Additive(Score):
    """vᵀ tanh(W q + U k)."""

    formula = "vᵀ tanh(W q + U k)"

    def __init__(self, *, d_query: int, d_key: int) -> None:
        super().__init__()
        self.w = nn.Linear(d_query, d_query, bias=False)
        self.u = nn.Linear(d_key, d_query, bias=False)
        self.v = nn.Linear(d_query, 1, bias=False)

    def keys(self, key: Tensor) -> Tensor:
        projected: Tensor = self.u(key)
        return projected

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        both = self.w(query)[..., :, None, :] + keys[..., None, :, :]  # (..., L, M, d_query)
        scores: Tensor = self.v(both.tanh())[..., 0]
        return scores


class Location(Score):
    """(W q)_j. There are as many places as the longest source has tokens."""

    formula = "(W q)_j"

    def __init__(self, *, d_query: int, places: int) -> None:
        super().__init__()
        self.w = nn.Linear(d_query, places, bias=False)

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        n = keys.shape[-2]
        if n > self.w.out_features:
            raise ValueError(f"{n} keys, but only {self.w.out_features} places are learned")
        scores: Tensor = self.w(query)[..., :n]
        return scores


NAMES = ("dot", "scaled_dot", "cosine", "general", "additive", "concat", "location")


def make_score(name: str, *, d_query: int, d_key: int, places: int | None = None) -> Score:
    """The score of this name; `places` is for `location`, which cannot be without."""
    match name:
        case "dot" | "scaled_dot" | "cosine" if d_query != d_key:
            raise ValueError(
                f"score {name} wants queries and keys of one width, not {d_query} and {d_key}: "
                f"make both {d_query}, or take general or additive, which fit any"
            )
        case "dot":
            return Dot()
        case "scaled_dot":
            return ScaledDot()
        case "cosine":
            return Cosine()
        case "general":
            return General(d_query=d_query, d_key=d_key)
        case "additive" | "concat":
            return Additive(d_query=d_query, d_key=d_key)
        case "location":
            if not places:
                raise ValueError(
                    f"score location learns a weight for each place, but places is {places}: give "
                    f"as many as the longest source has tokens"
                )
            return Location(d_query=d_query, places=places)
        case _:
            near = did_you_mean(name, NAMES)
            raise ValueError(f"there is no score {name!r}{near}: {', '.join(NAMES)}")

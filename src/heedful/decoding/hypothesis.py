"""What a search returns, whichever engine does it. Needs no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Hypothesis:
    """One translation in ids, without marks."""

    tokens: tuple[int, ...]
    log_prob: float  # sum over its tokens, and its end mark if it was not cut at its limit
    score: float  # log_prob, divided as `decoding.normalise` says
    weights: Sequence[Sequence[float]] | None = None
    """Of each of its tokens, how much it looked at each of the source's; only if it was asked."""


@dataclass(frozen=True)
class Marks:
    """The ids that the search must know by name."""

    start: int
    end: int
    never: tuple[int, ...]  # never written: padding, start, unknown

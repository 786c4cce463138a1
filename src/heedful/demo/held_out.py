"""The combinations that training never shows, by a fixed rule and not by the seed.

Two kinds: a mover with a place (one pair in twelve, each noun equally often), and a reason with
one of the nouns it is said of. The animal and the street are such a pair.
"""

from __future__ import annotations

from heedful.demo.nouns import MOVERS, PLACES, Gender, Noun
from heedful.demo.reasons import REASONS, Reason

_EVERY = 12
_STRIDE = 5  # has no factor in common with 12, so that the held-out pairs visit every place
_ENOUGH = 3  # a gender with fewer nouns than this would be hard to learn with one left out


def _held_out_referent(index: int, reason: Reason) -> Noun | None:
    """The noun never seen with the reason; odd and even reasons prefer different genders."""
    genders: tuple[Gender, ...] = ("m", "f") if index % 2 else ("f", "m")
    for gender in genders:
        nouns = [noun for noun in reason.of if noun.gender == gender]
        if len(nouns) >= _ENOUGH:
            return nouns[index % len(nouns)]
    return None


HELD_OUT_PAIRS: frozenset[tuple[Noun, Noun]] = frozenset(
    (mover, place)
    for i, mover in enumerate(MOVERS)
    for j, place in enumerate(PLACES)
    if (_STRIDE * i + j) % _EVERY == 0
)
"""(mover, place): whichever is the subject."""

HELD_OUT_REASONS: frozenset[tuple[Reason, Noun]] = frozenset(
    (reason, noun)
    for index, reason in enumerate(REASONS)
    if (noun := _held_out_referent(index, reason)) is not None
)
"""(reason, referent)."""


def is_held_out(reason: Reason, referent: Noun, other: Noun) -> bool:
    """Whether the parts hold a combination that is kept for the test."""
    pair = (other, referent) if referent.kind == "place" else (referent, other)
    return pair in HELD_OUT_PAIRS or (reason, referent) in HELD_OUT_REASONS

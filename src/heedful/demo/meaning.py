"""What a sentence says, before it is said in any language, and all that can be said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from heedful.demo.actions import ACTIONS, Action, Outcome
from heedful.demo.nouns import DRIVABLE, INVITING, Noun
from heedful.demo.reasons import REASONS, Reason, Tone
from heedful.demo.verbs import VERBS, Verb

Link = Literal["because", "even though"]
Time = Literal["", "yesterday", "that morning", "that evening", "last Sunday"]

TIMES: tuple[Time, ...] = ("", "yesterday", "that morning", "that evening", "last Sunday")

# What makes sense: a burden explains a failure or makes a success surprising, and so on
_SENSIBLE: dict[Tone, tuple[tuple[Link, Outcome], ...]] = {
    "burden": (("because", "hindered"), ("even though", "helped"), ("even though", "drawn")),
    "ability": (("because", "helped"), ("even though", "hindered")),
    "motive": (("because", "drawn"),),
}


@dataclass(frozen=True)
class Meaning:
    """Two nouns, what happens between them, and the clause whose "it" is one of the two."""

    subject: Noun
    other: Noun
    action: Action
    verb: Verb | None
    link: Link
    reason: Reason
    fronted: bool
    """The clause comes first: "Since it was too tired, the animal ..."."""
    time: Time

    @property
    def referent(self) -> Noun:
        """The noun that "it" means: the one that the reason can be said of."""
        return self.subject if self.subject in self.reason.of else self.other

    @property
    def bystander(self) -> Noun:
        """The noun that "it" does not mean."""
        return self.other if self.subject in self.reason.of else self.subject


@cache
def links(reason: Reason) -> tuple[tuple[Link, Outcome], ...]:
    """The conjunctions and outcomes that a reason can go with."""
    return tuple(pair for pair in _SENSIBLE[reason.tone] if referents(reason, pair[1]))


def referents(reason: Reason, outcome: Outcome) -> tuple[Noun, ...]:
    """The nouns that "it" may mean, given the reason and the outcome."""
    return tuple(noun for noun in reason.of if others(reason, noun, outcome))


@cache
def others(reason: Reason, referent: Noun, outcome: Outcome) -> tuple[Noun, ...]:
    """The nouns that may stand beside the referent."""
    return tuple(noun for noun in reason.beside if _may_meet(referent, noun, outcome))


def _may_meet(one: Noun, another: Noun, outcome: Outcome) -> bool:
    mover, place = (another, one) if one.kind == "place" else (one, another)
    if outcome == "drawn":
        return mover.kind == "animal" and place in INVITING
    return mover.kind == "animal" or place in DRIVABLE


@cache
def deeds(
    reason: Reason, subject: Noun, other: Noun, outcome: Outcome
) -> tuple[tuple[Action, Verb | None], ...]:
    """The actions, each with its verb if it has one, that can join the two nouns."""
    mover, place = (other, subject) if subject.kind == "place" else (subject, other)
    found: list[tuple[Action, Verb | None]] = []
    for action in ACTIONS:
        if action.outcome != outcome or (action.subject == "place") != (subject is place):
            continue
        if action.only_animals and mover.kind != "animal":
            continue
        if not action.has_verb:
            found.append((action, None))
            continue
        found += [(action, verb) for verb in VERBS if _may_do(reason, action, verb, place)]
    return tuple(found)


def _may_do(reason: Reason, action: Action, verb: Verb, place: Noun) -> bool:
    if verb.enters and not (reason.entering and action.subject == "mover"):
        return False  # French has no "difficile à entrer"
    return place in verb.places


@cache
def orders(subject: Noun, referent: Noun) -> tuple[tuple[bool, Time], ...]:
    """Whether the clause comes first, and the time, if one is given.

    With a place as subject, the clause comes first only if it is about the place ("Since it was
    tired, the street ..." would be a tired street), and then without a time.
    """
    if subject.kind != "place":
        return tuple((fronted, time) for fronted in (False, True) for time in TIMES)
    plain = tuple((False, time) for time in TIMES)
    return (*plain, (True, "")) if referent is subject else plain


def space() -> Iterator[Meaning]:
    """Everything that can be said, each once."""
    for reason in REASONS:
        for link, outcome in links(reason):
            for referent in reason.of:
                for other in others(reason, referent, outcome):
                    for subject, second in ((referent, other), (other, referent)):
                        for action, verb in deeds(reason, subject, second, outcome):
                            for fronted, time in orders(subject, referent):
                                yield Meaning(
                                    subject, second, action, verb, link, reason, fronted, time
                                )

"""Draw meanings so that neither position nor reason alone tells what "it" is.

Hence two steps. The plan settles, each by a fair coin, whether "it" is a mover or a place, the
genders of the two nouns, however many nouns there are of either, and which of them is the subject.
Filling it settles the rest, and can be tried again without upsetting the balance.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

from heedful.demo.actions import Outcome
from heedful.demo.held_out import is_held_out
from heedful.demo.meaning import TIMES, Link, Meaning, deeds, links, orders, others
from heedful.demo.nouns import Gender, Noun
from heedful.demo.reasons import OF_ANIMALS, OF_PLACES, OF_VEHICLES, Reason

Pairs = list[list[list[tuple[Noun, Noun]]]]
"""(referent, other), by the gender of the referent and then by that of the other; none empty."""


@dataclass(frozen=True)
class Plan:
    """What the balance depends on; many meanings fit it."""

    reason: Reason
    link: Link
    outcome: Outcome
    pairs: list[tuple[Noun, Noun]]
    referent_first: bool


def draw_plan(random: Random, *, held_out: bool) -> Plan:
    """A plan at random, with held-out combinations of parts only or without any."""
    reason = random.choice(random.choice(_reasons(held_out)))
    link, outcome, pairs = random.choice(_options(reason, held_out))
    cell = random.choice(random.choice(pairs))
    return Plan(reason, link, outcome, cell, referent_first=random.random() < 0.5)


def fill(random: Random, plan: Plan) -> Meaning:
    """One of the meanings that fit the plan."""
    referent, other = random.choice(plan.pairs)
    subject, second = (referent, other) if plan.referent_first else (other, referent)
    action, verb = random.choice(deeds(plan.reason, subject, second, plan.outcome))
    fronted, time = random.choice(orders(subject, referent))
    if random.random() < 0.25:
        time = TIMES[0]  # more plain sentences than there would be
    return Meaning(subject, second, action, verb, plan.link, plan.reason, fronted, time)


@cache
def _reasons(held_out: bool) -> list[list[Reason]]:
    # What is said of vehicles fits fewer places, so it is said less often
    sides = (OF_ANIMALS * 3 + OF_VEHICLES, OF_PLACES)
    return [[reason for reason in side if _options(reason, held_out)] for side in sides]


@cache
def _options(reason: Reason, held_out: bool) -> list[tuple[Link, Outcome, Pairs]]:
    found = [(link, outcome, _pairs(reason, outcome, held_out)) for link, outcome in links(reason)]
    return [option for option in found if option[2]]


def _pairs(reason: Reason, outcome: Outcome, held_out: bool) -> Pairs:
    cells: dict[Gender, dict[Gender, list[tuple[Noun, Noun]]]] = {}
    for referent in reason.of:
        for other in others(reason, referent, outcome):
            if is_held_out(reason, referent, other) == held_out:
                row = cells.setdefault(referent.gender, {})
                row.setdefault(other.gender, []).append((referent, other))
    return [list(row.values()) for row in cells.values()]

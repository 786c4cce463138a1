"""Build a meaning from words, so that tests read like sentences."""

from __future__ import annotations

from heedful.demo.actions import ACTIONS
from heedful.demo.meaning import Link, Meaning, Time
from heedful.demo.nouns import named
from heedful.demo.reasons import REASONS
from heedful.demo.verbs import VERBS


def say(
    subject: str,
    action: str,
    other: str,
    link: Link,
    reason: str,
    *,
    verb: str | None = None,
    fronted: bool = False,
    time: Time = "",
) -> Meaning:
    """`action` is the first words of its English phrase, `reason` its English phrase without ~."""
    first, second = named(f"{subject} {other}")
    return Meaning(
        subject=first,
        other=second,
        action=next(a for a in ACTIONS if a.english.startswith(action)),
        verb=next(v for v in VERBS if v.english == verb) if verb else None,
        link=link,
        reason=next(r for r in REASONS if r.english.replace("~ ", "") == reason),
        fronted=fronted,
        time=time,
    )

"""Judge whether a translation understood "it", and find the words that a picture is about."""

from __future__ import annotations

import re
from dataclasses import dataclass

from heedful.demo.corpus import Example
from heedful.demo.french import pronoun
from heedful.demo.korean import with_particle

_PRONOUN = re.compile(r"\b(il|elle)\b", re.IGNORECASE)
_CAUSE_FIRST = re.compile(r"(.*?)(?:때문에|는데도)")
_CAUSE_LAST = re.compile(r"다\.\s+(.*)때문이다")


@dataclass(frozen=True)
class Positions:
    """Places of words, split at spaces, from 0: three in the English source, one in the target."""

    it: int
    referent: int
    other: int
    written: int
    """The target's word for "it": il or elle (perhaps behind qu'), or the noun again in Korean."""


def pronoun_right(example: Example, translation: str) -> bool:
    """Whether the clause is about the noun that "it" means, whatever else may be wrong.

    French: its pronoun is il or elle by the referent's gender (no other pronoun ever occurs).
    Korean: its subject is the referent itself, with the right particle.
    """
    if example.language == "fr":
        found = _PRONOUN.search(translation)
        return found is not None and found[1].lower() == pronoun(example.referent)
    return _korean_subject(translation) == with_particle(example.referent.korean, "이")


def _korean_subject(translation: str) -> str | None:
    """The subject of the clause: its first word, after an optional 그 (that)."""
    clause = _CAUSE_LAST.search(translation) or _CAUSE_FIRST.search(translation)
    words = [word for word in clause[1].split() if word != "그"] if clause else []
    return words[0] if words else None


def word_positions(example: Example) -> Positions:
    """Where "it" and the two nouns stand in the source; punctuation does not count."""
    words = [word.strip(".,") for word in example.source.split()]
    words = [word.lower() for word in words]
    return Positions(
        it=words.index("it"),
        referent=words.index(example.referent.english),
        other=words.index(example.other.english),
        written=_written(example),
    )


def _written(example: Example) -> int:
    words = [word.strip(".,") for word in example.target.split()]
    if example.language == "ko":
        return words.index(with_particle(example.referent.korean, "이"))
    return next(place for place, word in enumerate(words) if _PRONOUN.search(word))

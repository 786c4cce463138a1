"""Judge whether a translation understood "it", and find the words that a picture is about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from heedful.demo.corpus import Example
from heedful.demo.french import pronoun
from heedful.demo.korean import with_particle

_PRONOUN = re.compile(r"\b(il|elle)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"\b(?:s'il|si elle|il|elle)\b", re.IGNORECASE)
_CAUSE_FIRST = re.compile(r"(.*?)(?:때문에|는데도)")
_CAUSE_LAST = re.compile(r"다\.\s+(.*)때문이다")


@dataclass(frozen=True)
class Positions:
    """Places of words in the English source, split at spaces, from 0."""

    it: int
    referent: int
    other: int


def pronoun_right(example: Example, translation: str) -> bool:
    """Whether the clause is about the noun that "it" means, whatever else may be wrong.

    French: its pronoun is il or elle by the referent's gender (no other pronoun ever occurs).
    Korean: its subject is the referent itself, with the right particle.
    """
    if example.language == "fr":
        found = _PRONOUN.search(translation)
        return found is not None and found[1].lower() == pronoun(example.referent)
    return _korean_subject(translation) == with_particle(example.referent.korean, "이")


def always_the_same(examples: Iterable[Example]) -> float:
    """Percent that would be right if the answer were always the same one: the commoner pronoun, or
    in Korean always the sentence's subject, or never, whichever is right more often."""
    answers = Counter(
        pronoun(e.referent) if e.language == "fr" else e.referent == e.meaning.subject
        for e in examples
        if e.decisive
    )
    return 100 * max(answers.values()) / answers.total()


def _korean_subject(translation: str) -> str | None:
    """The subject of the clause: its first word, after an optional 그 (that)."""
    clause = _CAUSE_LAST.search(translation) or _CAUSE_FIRST.search(translation)
    words = [word for word in clause[1].split() if word != "그"] if clause else []
    return words[0] if words else None


def of_the_other(example: Example) -> str:
    """The translation up to the word for "it", if that meant the other noun; what comes behind it
    may be wrong then."""
    if example.language == "ko":
        mine, other = (
            with_particle(noun.korean, "이") for noun in (example.referent, example.other)
        )
        return example.target.replace(mine, other)
    found = _CLAUSE.search(example.target)
    assert found, example.target
    swapped = {"s'il": "si elle", "si elle": "s'il", "il": "elle", "elle": "il"}
    word = swapped[found[0].lower()]
    word = word.capitalize() if found[0][0].isupper() else word
    return example.target[: found.start()] + word + example.target[found.end() :]


def word_positions(example: Example) -> Positions:
    """Where "it" and the two nouns stand in the source; punctuation does not count."""
    words = [word.strip(".,").lower() for word in example.source.split()]
    return Positions(
        it=words.index("it"),
        referent=words.index(example.referent.english),
        other=words.index(example.other.english),
    )

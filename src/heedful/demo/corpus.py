"""The demo's corpus: seeded, balanced, and split so that the test asks for what was never shown."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal

from heedful.demo.english import english
from heedful.demo.french import french
from heedful.demo.held_out import is_held_out
from heedful.demo.korean import korean
from heedful.demo.meaning import Meaning, deeds
from heedful.demo.nouns import Noun, named
from heedful.demo.reasons import REASONS
from heedful.demo.sampling import Plan, draw_plan, fill
from heedful.errors import HeedfulError

Language = Literal["fr", "ko"]

MOST = 200_000
"""Far below the size of the space, so that drawing distinct sentences stays quick."""

_TRIES = 50

FAMOUS = (
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too wide.",
)
"""Always the first two of the test."""


@dataclass(frozen=True)
class Example:
    """A sentence, its translation, and what was meant."""

    source: str
    target: str
    language: Language
    meaning: Meaning

    @property
    def referent(self) -> Noun:
        """The noun that "it" means."""
        return self.meaning.referent

    @property
    def other(self) -> Noun:
        """The noun that "it" does not mean."""
        return self.meaning.bystander

    @property
    def decisive(self) -> bool:
        """Whether the translation shows which noun was understood."""
        return self.language == "ko" or self.referent.gender != self.other.gender

    @property
    def held_out(self) -> bool:
        """Whether it has a combination of parts that never occurs in training."""
        return is_held_out(self.meaning.reason, self.referent, self.other)


@dataclass(frozen=True)
class DemoCorpus:
    train: list[Example]
    valid: list[Example]
    test: list[Example]


def generate(
    language: Language,
    *,
    seed: int = 1,
    train: int = 60_000,
    valid: int = 500,
    test: int = 1_000,
) -> DemoCorpus:
    """Draw the three parts; all sentences are distinct, and no other part has those of the test.

    Half of the test has combinations of parts that are held out (see `held_out.py`); the other half
    has new sentences of known combinations, as has the validation part.
    """
    _check(language, train, valid, test)
    random = Random(seed)
    drawn = _Drawn(random, language)
    # The test is drawn first: it then stays the same when the other sizes change
    tests = [example for meaning in _famous() if (example := drawn.example(meaning))]
    unseen = (test + 1) // 2
    tests += drawn.examples(unseen - len(tests), held_out=True)
    tests += drawn.examples(test - unseen, held_out=False)
    return DemoCorpus(
        valid=drawn.examples(valid, held_out=False),
        train=drawn.examples(train, held_out=False),
        test=tests,
    )


def translate(meaning: Meaning, language: Language) -> str:
    """The meaning said in the target language."""
    return french(meaning) if language == "fr" else korean(meaning)


class _Drawn:
    """Examples drawn so far, so that none comes twice."""

    def __init__(self, random: Random, language: Language) -> None:
        self._random = random
        self._language = language
        self._sources: set[str] = set()

    def examples(self, count: int, *, held_out: bool) -> list[Example]:
        found: list[Example] = []
        while len(found) < count:
            example = self._new(draw_plan(self._random, held_out=held_out))
            if example is not None:
                found.append(example)
        return found

    def _new(self, plan: Plan) -> Example | None:
        """A new example of a plan, which is given up only when it seems used up."""
        for _ in range(_TRIES):
            if example := self.example(fill(self._random, plan)):
                return example
        return None

    def example(self, meaning: Meaning) -> Example | None:
        """The example of a meaning, or nothing if its sentence was drawn before."""
        source = english(meaning)
        if source in self._sources:
            return None
        self._sources.add(source)
        return Example(source, translate(meaning, self._language), self._language, meaning)


def _famous() -> list[Meaning]:
    animal, street = named("animal street")
    found: dict[str, Meaning] = {}
    for reason in REASONS:
        for action, verb in deeds(reason, animal, street, "hindered"):
            meaning = Meaning(
                animal, street, action, verb, "because", reason, fronted=False, time=""
            )
            found[english(meaning)] = meaning
    return [found[sentence] for sentence in FAMOUS]


def _check(language: str, train: int, valid: int, test: int) -> None:
    if language not in ("fr", "ko"):
        raise HeedfulError(f"got the language {language!r}, but the demo speaks 'fr' and 'ko'")
    if min(train, valid) < 0 or test < 2 * len(FAMOUS) or train + valid + test > MOST:
        raise HeedfulError(
            f"got train={train}, valid={valid}, test={test}; wanted sizes of 0 or more, a test of "
            f"{2 * len(FAMOUS)} or more, and at most {MOST} sentences in all"
        )

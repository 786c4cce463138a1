"""Phrases that a translation must contain, and how far a hypothesis has come with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Phrase = Sequence[int]


@dataclass(frozen=True)
class Written:
    """Which phrases stand in a hypothesis, and how much of another it has just begun."""

    done: frozenset[int] = frozenset()
    begun: int | None = None  # a phrase that is being written
    place: int = 0  # tokens of it that stand there
    is_behind: bool = False  # whether the last token was the last of a phrase


@dataclass(frozen=True)
class Phrases:
    """Those of one sentence. One that is wanted twice is there twice."""

    phrases: Sequence[Phrase]
    continuations: frozenset[int] = frozenset()
    """Tokens that must not follow a phrase: its last word would become another."""

    @property
    def length(self) -> int:
        """Tokens of all together."""
        return sum(map(len, self.phrases))

    def met(self, written: Written) -> int:
        """Tokens of phrases that stand there, those of one that is begun included."""
        return sum(len(self.phrases[p]) for p in written.done) + written.place

    def next(self, written: Written, token: int) -> Written:
        """After one more token. A phrase that is broken off counts for nothing."""
        begun = () if written.begun is None else self.phrases[written.begun][: written.place]
        for start in (tuple(begun), ()):  # it goes on, perhaps as another phrase; or begins anew
            grown = (*start, token)
            for p, phrase in enumerate(self.phrases):
                if p not in written.done and tuple(phrase[: len(grown)]) == grown:
                    if len(grown) == len(phrase):
                        return Written(written.done | {p}, is_behind=True)
                    return Written(written.done, p, len(grown))
        return Written(written.done)

    def may_follow(self, written: Written, token: int) -> bool:
        """Whether a token leaves the phrase before it as it is."""
        return not (written.is_behind and token in self.continuations)

    def wanted(self, written: Written) -> set[int]:
        """The tokens that bring a hypothesis forward: the next of what it has begun, or else the
        first of what it lacks."""
        if written.begun is not None:
            return {self.phrases[written.begun][written.place]}
        return {p[0] for n, p in enumerate(self.phrases) if n not in written.done}

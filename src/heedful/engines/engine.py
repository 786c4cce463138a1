"""What an engine is asked, and the one thing it does. Needs no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from heedful.decoding.config import DecodingConfig
from heedful.decoding.hypothesis import Hypothesis

Ids = Sequence[int]


@dataclass(frozen=True)
class Task:
    """Sentences to translate, and how."""

    config: DecodingConfig
    nbest: int
    sources: Sequence[Ids]  # without marks
    limits: Sequence[int]  # most tokens of each translation; the end mark counts if it is written
    prefixes: Sequence[Ids]  # what each begins with, perhaps nothing
    phrases: Sequence[Sequence[Ids]] = ()  # what must stand in each, if it must in any
    aligned: bool = False  # whether it shall be told where each token looked


class Engine(Protocol):
    """A model that can be asked for translations."""

    name: str

    def refusal(self, task: Task) -> str | None:
        """Why it cannot do this; None if it can."""
        ...

    def search(self, task: Task) -> list[list[Hypothesis]]:
        """The best hypotheses of each sentence, best first, at most `nbest`."""
        ...

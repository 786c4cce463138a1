"""What waits for an engine: sentences, in lanes of those that can be searched together."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from heedful.decoding.config import DecodingConfig
from heedful.decoding.hypothesis import Hypothesis
from heedful.engines.engine import Ids, Task

Answers = list[list[Hypothesis]]
Search = Callable[[Task], Awaitable[Answers]]
"""An engine, asked without waiting."""


class Kind(NamedTuple):
    """What sentences of one batch have in common."""

    search: Search
    config: DecodingConfig
    aligned: bool


@dataclass(eq=False)
class Sentence:
    """One that waits."""

    source: Ids
    limit: int
    prefix: Ids
    phrases: Sequence[Ids]
    nbest: int
    since: float
    answer: asyncio.Future[list[Hypothesis]]

    @property
    def is_answered(self) -> bool:
        """Raises what went wrong instead."""
        return self.answer.done() and self.answer.result() is not None


@dataclass(eq=False)
class Lane:
    """What may be searched together: the same model, asked in the same way."""

    kind: Kind
    queue: list[Sentence] = field(default_factory=list)
    at_work: int = 0
    """Sentences that are being searched for."""
    usual: int = 0
    """The most sentences under way since somebody was last waited for in vain."""
    held_since: float = math.inf
    """When there was first a place in the engine for what waits now."""

    @property
    def under_way(self) -> int:
        """Sentences that wait, and those that are being searched for."""
        return len(self.queue) + self.at_work

    def leave(self) -> None:
        """Those whom nobody waits for any more."""
        self.queue = [sentence for sentence in self.queue if not sentence.answer.done()]
        if not self.queue:
            self.held_since = math.inf

    def task(self, batch: list[Sentence]) -> Task:
        """What the engine is asked."""
        return Task(
            self.kind.config,
            max(sentence.nbest for sentence in batch),
            [sentence.source for sentence in batch],
            [sentence.limit for sentence in batch],
            [sentence.prefix for sentence in batch],
            [sentence.phrases for sentence in batch],
            self.kind.aligned,
        )


def alike(queue: list[Sentence], n: int) -> list[Sentence]:
    """The first, and so many with it that differ as little as possible in length: those nearest to
    the first come first."""
    by_length = sorted(queue, key=lambda sentence: len(sentence.source))
    lengths = [len(sentence.source) for sentence in by_length]
    place = by_length.index(queue[0])
    starts = range(max(0, place - n + 1), min(place, len(queue) - n) + 1)
    start = min(starts, key=lambda start: lengths[start + n - 1] - lengths[start])
    own = lengths[place]
    return sorted(by_length[start : start + n], key=lambda s: abs(len(s.source) - own))

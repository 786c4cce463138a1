"""What a search returns, and what it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from heedful.decoding.config import DecodingConfig
from heedful.decoding.constraints import Constraint, Forbidden, ForcedPrefix, MinimumLength


@dataclass(frozen=True)
class Hypothesis:
    """One translation in ids, without marks."""

    tokens: tuple[int, ...]
    log_prob: float  # sum over its tokens, and its end mark if it was not cut at its limit
    score: float  # log_prob, divided as `decoding.normalise` says


@dataclass(frozen=True)
class Marks:
    """The ids that the search must know by name."""

    start: int
    end: int
    never: tuple[int, ...]  # never written: padding, start, unknown


@dataclass(frozen=True)
class Question:
    """All that a search is told of a batch beside the model and its memory."""

    config: DecodingConfig
    marks: Marks
    limits: Tensor  # (B,) most tokens of each translation; the end mark counts if it is written
    constraints: tuple[Constraint, ...]

    @classmethod
    def ask(
        cls,
        config: DecodingConfig,
        marks: Marks,
        limits: Tensor,
        prefixes: Sequence[Sequence[int]] | None = None,
    ) -> Question:
        """With the constraints that the settings and the prefixes ask for."""
        constraints: list[Constraint] = [Forbidden(marks.never)]
        if config.min_length:
            constraints.append(MinimumLength(config.min_length, end=marks.end))
        if prefixes is not None and any(prefixes):
            constraints.append(ForcedPrefix(prefixes))
        return cls(config, marks, limits, tuple(constraints))

    def constrain(self, log_probs: Tensor, written: int, sentences: Tensor) -> Tensor:
        """Applies every constraint, in place."""
        for constraint in self.constraints:
            constraint(log_probs, written, sentences)
        return log_probs

    def finished(self, tokens: Sequence[int], log_prob: float) -> Hypothesis:
        """From written tokens, with or without the end mark, to a hypothesis."""
        score = log_prob / self.config.divisor(len(tokens))
        words = tokens[:-1] if tokens and tokens[-1] == self.marks.end else tokens
        return Hypothesis(tuple(words), log_prob, score)

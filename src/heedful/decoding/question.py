"""All that a search is told of a batch beside the model and its memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from torch import Tensor

from heedful.decoding.config import DecodingConfig
from heedful.decoding.constraints import Constraint, Forbidden, ForcedPrefix, MinimumLength
from heedful.decoding.hypothesis import Hypothesis, Marks


@dataclass(frozen=True)
class Question:
    """What is wanted of the sentences of a batch."""

    config: DecodingConfig
    marks: Marks
    limits: Tensor  # (B,) most tokens of each translation; the end mark counts if it is written
    given: Tensor  # (B,) tokens of each prefix, 0 where there is none
    constraints: tuple[Constraint, ...]
    on_step: Callable[[], None] = lambda: None  # whoever has it raise something ends the search

    @classmethod
    def ask(
        cls,
        config: DecodingConfig,
        marks: Marks,
        limits: Tensor,
        prefixes: Sequence[Sequence[int]] | None = None,
        on_step: Callable[[], None] = lambda: None,
    ) -> Question:
        """With the constraints that the settings and the prefixes ask for."""
        constraints: list[Constraint] = [Forbidden(marks.never)]
        if config.min_length:
            constraints.append(MinimumLength(config.min_length, end=marks.end))
        given = [0] * len(limits)
        if prefixes is not None and any(prefixes):
            constraints.append(ForcedPrefix(prefixes))
            given = [len(prefix) for prefix in prefixes]
        return cls(config, marks, limits, limits.new_tensor(given), tuple(constraints), on_step)

    def log_probs(self, logits: Tensor, written: int, sentences: Tensor) -> Tensor:
        """(N, k, V) -> the log-probabilities of what may come next: what may not has none, and
        the rest share what it had. A forced token is certain."""
        self.on_step()
        logits = logits.float()
        for constraint in self.constraints:
            constraint(logits, written, sentences)
        return logits.log_softmax(-1)

    def finished(self, tokens: Sequence[int], log_prob: float) -> Hypothesis:
        """From written tokens, with or without the end mark, to a hypothesis."""
        score = log_prob / self.config.divisor(len(tokens))
        words = tokens[:-1] if tokens and tokens[-1] == self.marks.end else tokens
        return Hypothesis(tuple(words), log_prob, score)

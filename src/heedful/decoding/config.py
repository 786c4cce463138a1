"""The settings of a search. Needs no torch."""

from __future__ import annotations

import math
from typing import Literal, Self

from pydantic import Field, model_validator

from heedful.decoding.patience import usual_patience
from heedful.settings import Settings

WIDEST = 1000
"""Hypotheses that may be asked for."""


class DecodingConfig(Settings):
    """`[decoding]`: how a translation is searched for."""

    beam: int = Field(4, ge=1, le=WIDEST)
    """Hypotheses kept at each step; 1 is greedy."""
    normalise: Literal["length", "gnmt"] = "length"
    """What a score is divided by: length^alpha, or the paper's ((5 + length) / 6)^alpha."""
    alpha: float | None = Field(None, ge=0, le=10)  # length^10 still fits into 32 bits
    """The exponent; 1 for length and 0.6 for gnmt unless given. 0 compares bare probabilities."""
    stop: Literal["first", "exact"] = "first"
    """Stop when `beam * patience` hypotheses are finished, or only when no live one could still
    become better than those kept."""
    patience: float | None = Field(None, ge=1, le=1000)
    """With `stop = "first"`: how many hypotheses must finish, as a multiple of the beam; unless
    given, 1 for a large target vocabulary and more for a small one."""
    min_length: int = Field(0, ge=0, le=100_000)
    """Fewest tokens of a translation."""
    max_length: int | None = Field(None, ge=1, le=100_000)
    """Most tokens of a translation; by default it follows from each source's length."""
    sample: bool = False
    """Draw from the model's distribution instead of searching for its best."""
    temperature: float = Field(1.0, ge=1e-4, le=1e4)  # 32 bits hold what comes of these
    """Sampling: below 1 sharpens the distribution, above 1 flattens it."""
    top_k: int | None = Field(None, ge=1)
    """Sampling: only among so many of the likeliest tokens."""
    top_p: float | None = Field(None, gt=0, le=1)
    """Sampling: only among the likeliest tokens that together have this probability."""
    seed: int = Field(1, ge=0)
    """Sampling: what the draws start from."""
    batch_tokens: int | None = Field(None, ge=1, le=1_000_000_000)
    """Source tokens, times hypotheses, translated at once (by CTranslate2: on each core); what
    suits the engine unless given."""
    split_sentences: bool = True
    """Translate a line of several sentences one by one (subwords only)."""

    @model_validator(mode="after")
    def _lengths_in_order(self) -> Self:
        if self.max_length is not None and self.min_length > self.max_length:
            raise ValueError(
                f"min_length = {self.min_length} is above max_length = {self.max_length}"
            )
        return self

    @property
    def exponent(self) -> float:
        """alpha, resolved."""
        if self.alpha is not None:
            return self.alpha
        return 1.0 if self.normalise == "length" else 0.6

    @property
    def candidates(self) -> int:
        """Finished hypotheses with which `stop = "first"` stops; the best `beam` of them are kept.
        A patience that is not resolved counts as 1, and greedy search has none."""
        return 1 if self.beam == 1 else math.floor(self.beam * (self.patience or 1) + 0.5)

    def for_model(self, *, vocabulary: int, longest: int) -> Self:
        """With the patience that suits a model, unless one is given: see `usual_patience`."""
        if self.patience is not None:
            return self
        return self.model_copy(update={"patience": usual_patience(vocabulary, longest)})

    def divisor(self, length: int) -> float:
        """What the log-probability of a hypothesis of `length` tokens, end mark included, is
        divided by. It never falls as the length grows: `stop = "exact"` rests on that."""
        base = float(length) if self.normalise == "length" else (5 + length) / 6
        return float(base**self.exponent)

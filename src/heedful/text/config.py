"""How text becomes tokens: the `text` section of a recipe."""

from __future__ import annotations

import math
from typing import Literal, Self

from pydantic import Field, model_validator

from heedful.settings import Settings
from heedful.text.special import TokenKind

Algorithm = Literal["unigram", "bpe"]

SMALLEST_SUGGESTION = 300
LARGEST_SUGGESTION = 32_000


class TextConfig(Settings):
    """What the tokens are, how many there are, and how long a sentence may be."""

    source_tokens: TokenKind = "subwords"
    """What a source token is: subwords for sentences; chars or words for tasks that have none."""

    target_tokens: TokenKind = "subwords"
    """What a target token is: subwords for sentences; chars or words for tasks that have none."""

    algorithm: Algorithm = "unigram"
    """How SentencePiece learns subwords; chars and words do not use it."""

    joint: bool | None = None
    """Whether both sides share one vocabulary; by default they do if both are subwords."""

    vocabulary_size: int | None = Field(default=None, ge=16)
    """How many tokens each vocabulary holds, special ones and bytes included; by default it is
    chosen from the data."""

    jamo: bool | None = None
    """Whether Hangul syllables are cut into the letters they are written with, and joined again
    in what is translated; by default they are in Korean text whose tokens are chars."""

    max_length: int | None = Field(default=None, ge=1)
    """The most tokens a training sentence may have, longer pairs are left out; by default the
    longest training sentence up to a cap."""

    source_lang: str | None = None
    """Code of the source language, as en; kept in the model for those who ask."""

    target_lang: str | None = None
    """Code of the target language."""

    @model_validator(mode="after")
    def _joint_needs_one_kind(self) -> Self:
        if self.joint and self.source_tokens != self.target_tokens:
            raise ValueError(
                f"joint = true wants one kind of token, but source_tokens is "
                f"{self.source_tokens!r} and target_tokens is {self.target_tokens!r}: "
                f"make them equal, or leave joint out"
            )
        return self

    @property
    def is_joint(self) -> bool:
        """`joint`, with its default worked out."""
        if self.joint is None:
            return self.source_tokens == self.target_tokens == "subwords"
        return self.joint


def suggested_vocabulary_size(n_words: int) -> int:
    """A vocabulary for a text of `n_words` words (both sides together if they share it).

    The number of distinct words grows about as the root of the text's length (Heaps' law), so
    each piece is seen often enough to be learnt, whether the corpus is small or large:
    100,000 words give 2,216 pieces, a million 7,000, and from 21 million on 32,000.
    A multiple of 8 suits the matrix units of a GPU.
    """
    size = min(max(round(7 * math.sqrt(n_words)), SMALLEST_SUGGESTION), LARGEST_SUGGESTION)
    return -(-size // 8) * 8

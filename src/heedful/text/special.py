"""The kinds of vocabularies, the four ids that each begins with, and the sign for a space."""

from __future__ import annotations

from typing import Final, Literal

TokenKind = Literal["subwords", "chars", "words"]
"""What a token is."""

PAD: Final = 0
"""Fills the short rows of a batch."""

UNK: Final = 1
"""Stands for a word outside the vocabulary; subwords and characters fall back to bytes instead."""

BOS: Final = 2
"""Begins the target that the decoder reads."""

EOS: Final = 3
"""Ends a sentence."""

FIRST_WORD: Final = 4
"""The first id that is none of these marks."""

SPACE: Final = "▁"
"""How SentencePiece writes a space (U+2581): it begins the piece that begins a word."""

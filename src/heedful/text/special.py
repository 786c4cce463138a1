"""The four ids that every vocabulary begins with, whatever its kind."""

from __future__ import annotations

from typing import Final

PAD: Final = 0
"""Fills the short rows of a batch."""

UNK: Final = 1
"""Stands for a word outside the vocabulary; subwords and characters fall back to bytes instead."""

BOS: Final = 2
"""Begins the target that the decoder reads."""

EOS: Final = 3
"""Ends a sentence."""

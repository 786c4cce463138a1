"""The words by which users ask for a way to judge."""

from __future__ import annotations

from typing import Literal

Tokenize = Literal["13a", "intl", "zh", "char", "none"]
"""How sacreBLEU cuts text into words for BLEU: those of its ways that download nothing."""

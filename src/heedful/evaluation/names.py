"""The names by which users choose how to judge."""

from __future__ import annotations

from typing import Literal

Tokenize = Literal["13a", "intl", "zh", "ja-mecab", "ko-mecab", "flores200", "char", "none"]
"""How sacreBLEU cuts text into words for BLEU."""

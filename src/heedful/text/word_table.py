"""The words of a corpus that are worth looking up, with their ids."""

from __future__ import annotations

from collections import Counter

import numpy as np

from heedful.text.certainty import Certainty
from heedful.text.packed import id_type
from heedful.text.tokenizer import Tokenizer

WordTable = dict[str, bytes]
"""Words, and their ids as they lie on disk."""

OFTEN = 200  # times a word must come in the corpus: making sure of it takes as long as that
MOST_WORDS = 1 << 17  # about 30 MB in each process
SAMPLE = 50_000  # lines
WORTHWHILE = 0.6  # share of the lines that must have none but such words: to try costs time, too


def word_table(tokenizer: Tokenizer, lines: list[str], growth: float) -> WordTable:
    """From a sample of the corpus, which is `growth` times as large. Empty if it would not pay."""
    certainty = Certainty(tokenizer)
    if not certainty.holds:
        return {}
    every = max(1, len(lines) // SAMPLE)
    some = lines[::every]
    counts = Counter(" ".join(some).split(" "))
    least = max(2, OFTEN / (growth * every))
    often = [word for word, n in counts.most_common(MOST_WORDS) if n >= least]
    if _share_of_lines(some, often) < WORTHWHILE:
        return {}
    certain = filter(certainty.is_certain, often)
    dtype = id_type(len(tokenizer))
    return {word: np.array(tokenizer.encode(word), dtype).tobytes() for word in certain}


def _share_of_lines(lines: list[str], words: list[str]) -> float:
    """That have none but these words; from some of the lines."""
    known, some = set(words), lines[:: max(1, len(lines) // 5000)]
    return sum(known.issuperset(line.split(" ")) for line in some) / max(1, len(some))

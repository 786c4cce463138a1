"""The words of a corpus that are worth looking up, with their ids."""

from __future__ import annotations

from collections import Counter
from itertools import takewhile

import numpy as np

from heedful.text.certainty import Certainty
from heedful.text.packed import id_type
from heedful.text.tokenizer import Tokenizer

WordTable = dict[str, bytes]
"""Words, and their ids as they lie on disk."""

OFTEN = 200  # times a word must come in the corpus: making sure of it takes as long as that
MOST_WORDS = 1 << 17  # about 30 MB in each process
SAMPLE = 10_000  # lines: enough to see whether it pays
WORTHWHILE = 0.95
"""Share of the text that must then be found. Looking it up and asking for the rest take time: with
0.84 of it found, it was slower than asking for all; with all of it, twice as fast."""


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
    if _share_found(some, often) < WORTHWHILE:
        return {}
    certain = filter(certainty.is_certain, often)
    dtype = id_type(len(tokenizer))
    return {word: np.array(tokenizer.encode(word), dtype).tobytes() for word in certain}


def _share_found(lines: list[str], words: list[str]) -> float:
    """Of all words those behind which no line has others; from some of the lines."""
    known = set(words)
    n_words = n_found = 0
    for line in lines[:: max(1, len(lines) // 2000)]:
        parts = line.split(" ")
        n_words += len(parts)
        n_found += sum(1 for _ in takewhile(known.__contains__, reversed(parts)))
    return n_found / max(1, n_words)

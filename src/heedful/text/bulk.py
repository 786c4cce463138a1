"""Tokenising a great many lines: words that come again and again are looked up.

The outcome is `Tokenizer.encode_batch`'s, to the last id: a line goes to SentencePiece unless each
of its words is one whose ids cannot hang on the rest of the line (`certainty.py`).
"""

from __future__ import annotations

from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from heedful.text.certainty import Certainty
from heedful.text.model_file import without_rules
from heedful.text.packed import Packed, id_type, pack
from heedful.text.special import EOS, PAD
from heedful.text.tokenizer import Tokenizer
from heedful.text.word_table import WordTable

STEP = 1024  # lines at a time: all that is made of them stays in the processor's cache


class BulkEncoder:
    """Gives ids as they lie on disk, of lines that are in NFC (so the rules are not needed)."""

    def __init__(self, model: bytes, words: WordTable) -> None:
        self._tokenizer = Tokenizer(without_rules(model))
        self._dtype = id_type(len(self._tokenizer))
        self._longest_line = Certainty(self._tokenizer).longest_line
        # No text has these two ids: one marks the end of a line, the other a word not known.
        self._unknown = np.array([PAD], self._dtype).tobytes()
        self._words = words and words | {"\n": np.array([EOS], self._dtype).tobytes()}

    def encode(self, lines: list[str]) -> Packed:
        """The ids of the lines, in order."""
        encode = self._look_up if self._words else self._ask
        parts = [encode(lines[at : at + STEP]) for at in range(0, len(lines), STEP)]
        if not parts:
            return pack([], self._dtype)
        return Packed(
            np.concatenate([part.ids for part in parts]),
            np.concatenate([part.lengths for part in parts]),
        )

    def _ask(self, lines: list[str]) -> Packed:
        """SentencePiece itself; in one thread, since there is a process a core."""
        return pack(self._tokenizer.encode_batch(lines, n_threads=1), self._dtype)

    def _look_up(self, lines: list[str]) -> Packed:
        words = (" \n ".join(lines) + " \n").split(" ")  # each line's end is a word of its own
        found = b"".join(map(self._words.get, words, repeat(self._unknown)))
        row: NDArray[np.integer] = np.frombuffer(found, self._dtype)
        ends = np.flatnonzero(row == EOS)
        left = np.zeros(len(lines), np.bool_)
        left[np.searchsorted(ends, np.flatnonzero(row == PAD))] = True
        left |= np.fromiter(map(len, lines), np.int64, len(lines)) > self._longest_line
        if left.all():
            return self._ask(lines)
        lengths = (np.diff(ends, prepend=-1) - 1).astype(np.int32)
        if not left.any():
            return Packed(row[row != EOS], lengths)
        found_ids = row[~np.repeat(left, lengths + 1) & (row != EOS)]
        asked = self._ask([lines[at] for at in np.flatnonzero(left)])
        lengths[left] = asked.lengths
        is_asked = np.repeat(left, lengths)
        ids = np.empty(len(is_asked), self._dtype)
        ids[is_asked], ids[~is_asked] = asked.ids, found_ids
        return Packed(ids, lengths)

"""Tokenising a great many lines: words that come again and again are looked up.

The outcome is `Tokenizer.encode_batch`'s, to the last id: a line goes to SentencePiece unless each
of its words is one whose ids cannot hang on the rest of the line (`certainty.py`).
"""

from __future__ import annotations

from collections import Counter
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from heedful.text.certainty import Certainty
from heedful.text.packed import Packed, id_type, pack
from heedful.text.special import EOS, PAD
from heedful.text.tokenizer import Tokenizer

STEP = 1024  # lines at a time: their words stay in the processor's cache
OFTEN = 8  # a word is learnt when it has been met so often: learning takes 20 times as long
MOST_WORDS = 1 << 17  # to remember, and to count: about 30 MB each
WORTHWHILE = 0.1  # of the lines; where less are found, it is seldom tried
PAUSE = 15  # steps between such tries


class BulkEncoder:
    """Remembers words from call to call; gives ids as they lie on disk."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._dtype = id_type(len(tokenizer))
        self._certainty = Certainty(tokenizer)
        # No text has these two ids: one marks the end of a line, the other a word not known.
        self._unknown = self._bytes([PAD])
        self._words = {"\n": self._bytes([EOS])}
        self._met: Counter[str] = Counter()
        self._pause = 0

    def encode(self, lines: list[str]) -> Packed:
        """The ids of lines in NFC, in order."""
        if not self._certainty.holds:
            return pack(self._tokenizer.encode_batch(lines, n_threads=1), self._dtype)
        parts = [self._encode(lines[at : at + STEP]) for at in range(0, len(lines), STEP)]
        if not parts:
            return pack([], self._dtype)
        return Packed(
            np.concatenate([part.ids for part in parts]),
            np.concatenate([part.lengths for part in parts]),
        )

    def _encode(self, lines: list[str]) -> Packed:
        if self._pause:
            self._pause -= 1
            return pack(self._tokenizer.encode_batch(lines, n_threads=1), self._dtype)
        row, ends = self._look_up(lines)
        left = np.zeros(len(lines), np.bool_)
        left[np.searchsorted(ends, np.flatnonzero(row == PAD))] = True
        if max(map(len, lines)) > self._certainty.longest_line:
            left |= np.fromiter(map(len, lines), np.int64) > self._certainty.longest_line
        if not left.any():
            return Packed(row[row != EOS], _lengths(ends))
        rest = [lines[at] for at in np.flatnonzero(left)]
        n_learnt = self._learn(rest)
        if len(rest) > (1 - WORTHWHILE) * len(lines) and not n_learnt:
            self._pause = PAUSE
        coded = pack(self._tokenizer.encode_batch(rest, n_threads=1), self._dtype)
        return _merge(row, ends, left, coded)

    def _look_up(self, lines: list[str]) -> tuple[NDArray[np.integer], NDArray[np.intp]]:
        """The ids of all lines with a mark after each, and where these marks are."""
        words = (" \n ".join(lines) + " \n").split(" ")
        found = b"".join(map(self._words.get, words, repeat(self._unknown)))
        row: NDArray[np.integer] = np.frombuffer(found, self._dtype)
        return row, np.flatnonzero(row == EOS)

    def _learn(self, lines: list[str]) -> int:
        """Takes note of the words of some lines -> how many are learnt by that."""
        if len(self._words) >= MOST_WORDS:
            return 0
        before = len(self._words)
        for word, n in Counter(" ".join(lines).split(" ")).items():
            if word in self._words:
                continue
            self._met[word] += n
            if self._met[word] >= OFTEN:
                del self._met[word]
                sure = self._certainty.is_certain(word)
                ids = self._bytes(self._tokenizer.encode(word)) if sure else self._unknown
                self._words[word] = ids
        if len(self._met) > MOST_WORDS:  # those that come often will soon be back
            self._met.clear()
        return len(self._words) - before

    def _bytes(self, ids: list[int]) -> bytes:
        return np.array(ids, self._dtype).tobytes()


def _lengths(ends: NDArray[np.intp]) -> NDArray[np.int32]:
    return (np.diff(ends, prepend=-1) - 1).astype(np.int32)


def _merge(
    row: NDArray[np.integer], ends: NDArray[np.intp], left: NDArray[np.bool_], coded: Packed
) -> Packed:
    """The lines that were found and, in the places that are `left`, those coded apart."""
    lengths = _lengths(ends)
    found = row[~np.repeat(left, lengths + 1) & (row != EOS)]
    lengths[left] = coded.lengths
    is_coded = np.repeat(left, lengths)
    ids = np.empty(len(is_coded), row.dtype)
    ids[is_coded], ids[~is_coded] = coded.ids, found
    return Packed(ids, lengths)

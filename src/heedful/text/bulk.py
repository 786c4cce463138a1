"""Tokenising a great many lines: words that come again and again are looked up.

The outcome is `Tokenizer.encode_batch`'s, to the last id: only words are looked up whose ids cannot
hang on what stands before them (`certainty.py`); SentencePiece gets the rest.
"""

from __future__ import annotations

from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from heedful.text.certainty import Certainty
from heedful.text.model_file import without_rules
from heedful.text.packed import IdType, Packed, id_type, pack
from heedful.text.special import EOS, PAD
from heedful.text.tokenizer import Tokenizer
from heedful.text.word_table import WordTable

STEP = 1024  # lines at a time: all that is made of them stays in the processor's cache


class BulkEncoder:
    """Gives ids as they lie on disk, of tidy lines: they are in NFC, which leaves the rules nothing
    to do, and do not begin with a space."""

    def __init__(self, model: bytes, words: WordTable) -> None:
        whole = Tokenizer(model)
        self._tokenizer = whole if whole.jamo else Tokenizer(without_rules(model))
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
        """What stands behind the last word of a line that is not known is looked up, what stands
        before it is asked for: later words change nothing about earlier ones."""
        words = (" \n ".join(lines) + " \n").split(" ")  # each line's end is a word of its own
        found = list(map(self._words.get, words, repeat(self._unknown)))
        row: NDArray[np.integer] = np.frombuffer(b"".join(found), self._dtype)
        ends = np.flatnonzero(row == EOS)
        last = np.full(len(lines), -1)  # where the last unknown word is, if there is one
        gaps = np.flatnonzero(row == PAD)
        last[np.searchsorted(ends, gaps)] = gaps
        long = np.fromiter(map(len, lines), np.int64, len(lines)) > self._longest_line
        last[long] = ends[long] - 1
        to_ask = np.flatnonzero(last >= 0)
        if not len(to_ask):
            return Packed(row[row != EOS], _lengths(ends))
        behind = _n_words(found, last[to_ask], ends[to_ask], self._dtype)
        asked = self._ask(
            [lines[at].rsplit(" ", n)[0] for at, n in zip(to_ask, behind, strict=True)]
        )
        return _joined(asked, to_ask, row, last, ends)


def _lengths(ends: NDArray[np.intp]) -> NDArray[np.int32]:
    return (np.diff(ends, prepend=-1) - 1).astype(np.int32)


def _n_words(
    found: list[bytes], after: NDArray[np.intp], before: NDArray[np.intp], dtype: IdType
) -> list[int]:
    """How many words there are between two places in the row of their ids."""
    size = np.dtype(dtype).itemsize
    word_ends = np.fromiter(map(len, found), np.int64, len(found)).cumsum() // size
    numbers = [np.searchsorted(word_ends, place, side="right") for place in (after, before)]
    words: list[int] = (numbers[1] - numbers[0] - 1).tolist()
    return words


def _joined(
    asked: Packed,
    to_ask: NDArray[np.intp],
    row: NDArray[np.integer],
    last: NDArray[np.intp],
    ends: NDArray[np.intp],
) -> Packed:
    """Of each line first the ids that were asked for, then those of the row behind `last`."""
    starts = np.concatenate(([0], ends[:-1] + 1))
    lengths = np.zeros((len(ends), 2), np.int32)
    lengths[to_ask, 0] = asked.lengths
    lengths[:, 1] = ends - np.maximum(starts, last + 1)
    is_found = (row != EOS) & (np.arange(len(row)) > np.repeat(last, _lengths(ends) + 1))
    is_asked = np.repeat(np.tile([True, False], len(ends)), lengths.ravel())
    ids = np.empty(len(is_asked), row.dtype)
    ids[is_asked], ids[~is_asked] = asked.ids, row[is_found]
    return Packed(ids, lengths.sum(axis=1, dtype=np.int32))

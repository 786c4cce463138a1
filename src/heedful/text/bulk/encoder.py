"""Tokenising a great many lines: each word is cut by SentencePiece once, then looked up.

No piece has a space inside, so words are cut one by one whatever stands round them. Byte pair
encoding joins pieces by rank, and a word has the ids that `Tokenizer.encode` gives it in its line.
A unigram model adds up log probabilities from the beginning of the line, in 32 bits: where two cuts
of a word are equally probable but for the last of them, the line may have one and we the other.
"""

from __future__ import annotations

from itertools import compress, pairwise, repeat
from operator import is_
from typing import cast

import numpy as np

from heedful.text.bulk.packed import Packed, id_type, pack
from heedful.text.model_file import without_rules
from heedful.text.special import EOS, SPACE
from heedful.text.tokenizer import Tokenizer

STEP = 1024  # lines at a time: all that is made of them stays in the processor's cache
MOST_WORDS = 1 << 17  # remembered at a time: about 30 MB in each process
LINE_END = "\n"  # as a word among words


class BulkEncoder:
    """Gives ids as they lie on disk, of tidy lines: they are in NFC, which leaves the rules nothing
    to do, neither begin nor end with a space, and are not blank."""

    def __init__(self, model: bytes) -> None:
        whole = Tokenizer(model)
        self._tokenizer = whole if whole.jamo else Tokenizer(without_rules(model))
        self._dtype = id_type(len(self._tokenizer))
        self._marks: dict[str, bytes] = {}
        if _cuts_word_by_word(self._tokenizer):
            space = self._tokenizer.vocabulary.index(SPACE)
            # Between two spaces there is a word of no letters, with its space before it.
            self._marks = {LINE_END: self._as_stored(EOS), "": self._as_stored(space)}
        self._known = dict(self._marks)  # words, and their ids as they lie on disk

    def encode(self, lines: list[str]) -> Packed:
        """The ids of the lines, in order."""
        encode = self._look_up if self._marks else self._ask
        parts = [encode(lines[at : at + STEP]) for at in range(0, len(lines), STEP)]
        if not parts:
            return pack([], self._dtype)
        return Packed(
            np.concatenate([part.ids for part in parts]),
            np.concatenate([part.lengths for part in parts]),
        )

    def _look_up(self, lines: list[str]) -> Packed:
        words = f" {LINE_END} ".join([*lines, ""]).split(" ")[:-1]
        if len(self._known) > MOST_WORDS:
            self._known = dict(self._marks)  # those that come often are soon known again
        found = list(map(self._known.get, words))
        self._learn(words, found)
        row = np.frombuffer(b"".join(cast(list[bytes], found)), self._dtype)
        is_end = row == EOS  # no text has this id
        lengths = np.diff(np.flatnonzero(is_end), prepend=-1) - 1
        return Packed(row[~is_end], lengths.astype(np.int32))

    def _learn(self, words: list[str], found: list[bytes | None]) -> None:
        """Asks for the words that were not found, and puts their ids where they are missing."""
        missing = list(compress(range(len(found)), map(is_, found, repeat(None))))
        new = list({words[at] for at in missing})
        asked = self._ask(new)
        ends = asked.lengths.cumsum() * asked.ids.itemsize
        stored = asked.ids.tobytes()
        spans = pairwise([0, *ends.tolist()])
        self._known.update(zip(new, (stored[a:b] for a, b in spans), strict=True))
        for at in missing:
            found[at] = self._known[words[at]]

    def _ask(self, lines: list[str]) -> Packed:
        """SentencePiece itself; in one thread, since there is a process a core."""
        return pack(self._tokenizer.encode_batch(lines, n_threads=1), self._dtype)

    def _as_stored(self, token: int) -> bytes:
        return np.array([token], self._dtype).tobytes()


def _cuts_word_by_word(tokenizer: Tokenizer) -> bool:
    pieces = tokenizer.vocabulary
    no_space_inside = not any(SPACE in piece[1:] for piece in pieces)
    by_words = tokenizer.kind == "subwords" and not tokenizer.first
    return by_words and SPACE in pieces and no_space_inside

"""From the pieces of SentencePiece to words."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from heedful.text.scripts import WITHOUT_SPACES
from heedful.text.special import SPACE

_MARKS = frozenset({"<s>", "</s>", "<pad>"})
_BYTES = re.compile(r"(?:<0x[0-9A-F]{2}>)+")


def word_starts(pieces: Sequence[str]) -> list[int]:
    """Where in `pieces` each word begins; a mark such as </s> is a word of its own, and so is a
    piece of a script without spaces.

    Labels that hold no ▁ at all are words (or characters) already, and stay apart.
    """
    if not any(piece.startswith(SPACE) for piece in pieces):
        return list(range(len(pieces)))
    return [
        i
        for i, piece in enumerate(pieces)
        if i == 0 or piece.startswith(SPACE) or _is_alone(piece) or _is_alone(pieces[i - 1])
    ]


def _is_alone(piece: str) -> bool:
    return piece in _MARKS or bool(WITHOUT_SPACES.search(piece))


def join_words(pieces: Sequence[str]) -> tuple[str, ...]:
    """The words that `pieces` make up, without ▁."""
    starts = word_starts(pieces)
    bounds = itertools.pairwise([*starts, len(pieces)])
    return tuple(_join(pieces[start:end]) for start, end in bounds)


def _join(pieces: Sequence[str]) -> str:
    text = _BYTES.sub(_from_bytes, "".join(pieces))
    # A lone ▁ is a word of no letters: it keeps its sign, so that something is seen.
    return text.replace(SPACE, " ").strip() or "".join(pieces)


def _from_bytes(match: re.Match[str]) -> str:
    """<0xC3><0xA9> -> é: the pieces of characters that the vocabulary lacks."""
    digits = match[0].replace("<0x", "").replace(">", "")
    return bytes.fromhex(digits).decode("utf-8", errors="replace")

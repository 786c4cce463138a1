"""Words, and what they are made of: letters, digits, and other signs, each kind by itself."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from heedful.documents.runs import Mark
from heedful.text.scripts import WITHOUT_SPACES

_MARKS = "".join(chr(c) for c in range(0x300, 0x3100) if unicodedata.category(chr(c))[0] == "M")
"""Signs above, below and beside letters, which Python does not count among letters."""
_LETTERS = rf"(?>(?:[^\W\d_]|[{_MARKS}])+)"
_PIECE = re.compile(
    rf"""
    (?P<space> \s++ )
    | (?P<letters> {_LETTERS} (?> (?: ['’‐\-\u00ad\u200c\u200d] {_LETTERS} )* ) )
    | (?P<digits> \d++ )
    | (?P<sign> (.)\5*+ )
    """,
    re.DOTALL | re.VERBOSE,
)
_WORD = re.compile(r"\S+")
KEPT = "kept"
"""A kind of its own: whatever stays as it is, in one piece."""


class Piece(NamedTuple):
    """Some of a text that stands in one element as a whole."""

    kind: str
    text: str
    start: int

    @property
    def is_sign(self) -> bool:
        """Whether it is neither letters nor digits."""
        return self.kind == "sign"


@dataclass(slots=True)
class Put:
    """A piece of a translation."""

    piece: Piece
    source: int
    """The piece of the source that it stands for."""
    mark: Mark | None = None
    """What is written in its place."""


def pieces(text: str, start: int = 0, end: int | None = None) -> Iterator[Piece]:
    """All of it, white space too."""
    found = _PIECE.finditer(text, start, len(text) if end is None else end)
    return (Piece(str(match.lastgroup), match[0], match.start()) for match in found)


def words(text: str, borders: Iterable[int]) -> list[tuple[int, int]]:
    """Where each begins and ends. In scripts without spaces a word may do so at these borders."""
    cuts = sorted({b for b in borders if 0 < b < len(text) and _is_spaceless(text, b)})
    found: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        inside = cuts[bisect_right(cuts, match.start()) : bisect_left(cuts, match.end())]
        edges = [match.start(), *inside, match.end()]
        found += pairwise(edges)
    return found


def _is_spaceless(text: str, place: int) -> bool:
    return bool(WITHOUT_SPACES.match(text, place) or WITHOUT_SPACES.match(text, place - 1))

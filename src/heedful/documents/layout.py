"""A passage as the words of its text and what stands between them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property

from heedful.documents.pieces import Piece, pieces, words
from heedful.documents.runs import Mark, Run


def plain(content: Iterable[Run | Mark]) -> str:
    """The text to translate: every white space is one space."""
    texts = (i.text if isinstance(i, Run) else " " * i.is_space for i in content)
    return " ".join("".join(texts).split())


class Layout:
    """Its pieces, and before, between and behind them gaps: white space and marks, as they were."""

    def __init__(self, content: Sequence[Run | Mark], borders: Iterable[int] = ()) -> None:
        self.content = content
        self.pieces: list[Piece] = []
        """At their places in the text."""
        self.runs: list[int] = []
        """Of each piece, which of the content it is part of."""
        self.gaps: list[list[Run | Mark]] = [[]]
        self._length = 0
        for n, item in enumerate(content):
            if isinstance(item, Mark):
                self.gaps[-1].append(item)
            else:
                self._add(n, item)
        self._words = words(self.text, borders)
        self._starts = [start for start, _ in self._words]

    def _add(self, n: int, run: Run) -> None:
        """White space is part of a gap."""
        for piece in pieces(run.text):
            if piece.kind == "space":
                self.gaps[-1].append(Run(piece.text, run.chain))
                continue
            self._length += bool(self.pieces) and has_space(self.gaps[-1])
            self.pieces.append(piece._replace(start=self._length))
            self.runs.append(n)
            self.gaps.append([])
            self._length += len(piece.text)

    @cached_property
    def text(self) -> str:
        """As it was translated."""
        return plain(self.content)

    def word_at(self, place: int) -> range:
        """The pieces of the word there, or of the one before it."""
        start, end = self._words[max(0, bisect_right(self._starts, place) - 1)]
        return range(self._piece_at(start), self._piece_at(end - 1) + 1)

    def _piece_at(self, place: int) -> int:
        return max(0, bisect_right(self._places, place) - 1)

    @cached_property
    def _places(self) -> list[int]:
        return [piece.start for piece in self.pieces]


def has_space(gap: Iterable[Run | Mark]) -> bool:
    """Whether something in it parts two words."""
    return any(isinstance(item, Run) or item.is_space for item in gap)

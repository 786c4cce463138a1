"""A passage as the words of its text and what stands between them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from heedful.documents.pieces import KEPT, Piece, pieces, words
from heedful.documents.runs import Chain, Mark, Run
from heedful.text.links import Span


def shown(content: Iterable[Run | Mark]) -> str:
    """The text with its white space; a mark that parts two words is some too."""
    return "".join(
        item.text if isinstance(item, Run) else item.said or " " * item.is_space for item in content
    )


def plain(content: Iterable[Run | Mark]) -> str:
    """The text to translate: every white space is one space."""
    return " ".join(shown(content).split())


class Layout:
    """Its pieces, and before, between and behind them gaps: white space and marks, as they were."""

    def __init__(self, content: Sequence[Run | Mark], borders: Iterable[int] = ()) -> None:
        self.content = content
        self.text = plain(content)
        """As it was translated."""
        self.pieces: list[Piece] = []
        """At their places in the text."""
        self.runs: list[int] = []
        """Of each piece, which of the content it is part of."""
        self.kept: dict[int, Mark] = {}
        """The pieces that stay as they are, and what is written for them."""
        self.gaps: list[list[Run | Mark]] = [[]]
        """One more than there are pieces."""
        for n, item in enumerate(content):
            if isinstance(item, Run):
                self._add_run(n, item)
            elif item.said:
                self.kept[len(self.pieces)] = item
                self._add_piece(n, Piece(KEPT, item.said, self._next_start()))
            else:
                self.gaps[-1].append(item)
        self._words = words(self.text, borders)
        self._word_starts = [start for start, _ in self._words]
        self._piece_starts = [piece.start for piece in self.pieces]

    def _add_run(self, n: int, run: Run) -> None:
        for piece in pieces(run.text):
            if piece.kind == "space":
                self.gaps[-1].append(Run(piece.text, run.chain))
            else:
                self._add_piece(n, piece._replace(start=self._next_start()))

    def _add_piece(self, n: int, piece: Piece) -> None:
        self.pieces.append(piece)
        self.runs.append(n)
        self.gaps.append([])

    def _next_start(self) -> int:
        """Where in the text the next piece stands: any white space before it is one space."""
        if not self.pieces:
            return 0
        last = self.pieces[-1]
        return last.start + len(last.text) + has_space(self.gaps[-1])

    def span(self, n: int) -> Span:
        """Where a piece stands in the text."""
        piece = self.pieces[n]
        return piece.start, piece.start + len(piece.text)

    def chain(self, n: int) -> Chain:
        """The elements that a piece stands in."""
        return self.content[self.runs[n]].chain

    def word_at(self, place: int) -> range:
        """The pieces of the word there, or of the one before it."""
        start, end = self._words[_last_at(self._word_starts, place)]
        first, last = (_last_at(self._piece_starts, n) for n in (start, end - 1))
        return range(first, last + 1)


def _last_at(starts: Sequence[int], place: int) -> int:
    """The last of those that begin there or before; else the first."""
    return max(0, bisect_right(starts, place) - 1)


def has_space(gap: Iterable[Run | Mark]) -> bool:
    """Whether something in it parts two words."""
    return any(isinstance(item, Run) or item.is_space for item in gap)

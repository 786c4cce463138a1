"""Which piece of a source each piece of its translation stands for.

A word of the translation stands for the word that it looked at. If both are the same word, so are
their pieces; else they are paired from both ends as long as they are of a kind (a quote with a
quote, a number with a number), and what remains goes with the first letters that remain.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heedful.documents.layout import Layout
from heedful.documents.pieces import Piece, pieces, words
from heedful.text.links import Link

LARGEST_HOLE = 2  # words between two of an element that it takes in
SIGNS = 4  # that may stand around them


@dataclass(slots=True)
class Put:
    """A piece of a translation."""

    piece: Piece
    source: int
    """The piece that it stands for."""


def matched(layout: Layout, translation: str, links: Sequence[Link]) -> list[Put]:
    """All but its white space."""
    linked = {n: link.source[0] for link in links for n in range(*link.target)}
    borders = (border for link in links for border in link.target)
    scale = len(layout.text) / max(1, len(translation))
    puts: list[Put] = []
    for start, end in words(translation, borders):
        own = list(pieces(translation, start, end))
        first = next((piece.start for piece in own if not piece.is_sign), start)
        if (place := linked.get(first, linked.get(start))) is not None:
            puts += _paired(own, layout, layout.word_at(place))
        elif linked and puts:
            puts += [Put(piece, puts[-1].source) for piece in own]
        else:
            puts += _paired(own, layout, layout.word_at(int(start * scale)))
    _take_in_holes(puts, layout)
    _Claims(puts, layout).settle(scale)
    return puts


def _paired(own: Sequence[Piece], layout: Layout, word: range) -> Iterator[Put]:
    """The pieces of one word with those of another."""
    others = layout.pieces[word.start : word.stop]
    text, other = ("".join(piece.text for piece in some) for some in (own, others))
    if len(text) == len(other) and text.casefold() == other.casefold():
        start = own[0].start
        for n, piece in zip(word, others, strict=True):
            place = piece.start - others[0].start
            same = text[place : place + len(piece.text)]
            yield Put(Piece(piece.kind, same, start + place), n)
        return
    most = min(len(own), len(others))
    head = 0
    while head < most and own[head].kind == others[head].kind:
        head += 1
    tail = 0
    while tail < most - head and own[-1 - tail].kind == others[-1 - tail].kind:
        tail += 1
    rest = [n for n in range(head, len(others) - tail) if not others[n].is_sign]
    middle = rest[0] if rest else max(0, head - 1)
    for n, piece in enumerate(own):
        place = n if n < head else len(others) - len(own) + n
        yield Put(piece, word[place if n < head or n >= len(own) - tail else middle])


def _take_in_holes(puts: Sequence[Put], layout: Layout) -> None:
    """An element that would be cut in two by a word or two stays whole."""
    last: dict[int, int] = {}  # of each run, its latest piece
    for n, put in enumerate(puts):
        run = layout.runs[put.source]
        before = last.get(run, n)
        last[run] = n
        if n - before > LARGEST_HOLE + SIGNS:
            continue
        hole = puts[before + 1 : n]
        is_small = sum(not other.piece.is_sign for other in hole) <= LARGEST_HOLE
        if is_small and all(_is_outside(layout, layout.runs[o.source], run) for o in hole):
            for other in hole:
                other.source = puts[before].source


def _is_outside(layout: Layout, run: int, of: int) -> bool:
    """Whether a run stands around the element of another."""
    chain, inner = layout.content[run].chain, layout.content[of].chain
    return len(chain) < len(inner) and inner[: len(chain)] == chain


class _Claims:
    """Runs in elements that no piece stands for, though they have letters or digits."""

    def __init__(self, puts: Sequence[Put], layout: Layout) -> None:
        self._puts = puts
        self._layout = layout
        self._count = Counter(self._run(put) for put in puts if not put.piece.is_sign)

    def settle(self, scale: float) -> None:
        """A run of one piece that is still there gets it back; another with letters gets the word
        that stands where it would stand if nothing changed its place. No run gives its last one."""
        waiting: dict[int, list[int]] = {}
        for n, piece in enumerate(self._layout.pieces):
            run = self._layout.runs[n]
            has_element = len(self._layout.content[run].chain) > 0
            if has_element and run not in self._count and not piece.is_sign:
                waiting.setdefault(run, []).append(n)
        if not waiting:
            return
        places: dict[str, list[int]] = {}
        for n, put in reversed(list(enumerate(self._puts))):
            if not self._is_same(put):
                places.setdefault(put.piece.text.casefold(), []).append(n)
        for own in waiting.values():
            there = places.get(self._layout.pieces[own[0]].text.casefold())
            if len(own) == 1 and there:
                self._give(there.pop(), own[0])
        letters = [
            next((n for n in own if self._layout.pieces[n].kind == "letters"), None)
            for run, own in waiting.items()
            if run not in self._count
        ]
        self._share([n for n in letters if n is not None], scale)

    def _share(self, wanted: Sequence[int], scale: float) -> None:
        spare = [
            n
            for n, put in enumerate(self._puts)
            if put.piece.kind == "letters" and self._count[self._run(put)] > 1
        ]
        starts = [self._puts[n].piece.start for n in spare]
        least = 0  # of these, one behind the other
        for left, n in zip(range(len(wanted), 0, -1), wanted, strict=True):
            at = _nearest(starts, self._layout.pieces[n].start / max(scale, 1e-9))
            least = max(least, min(at, len(spare) - left))
            while least < len(spare) and self._count[self._run(self._puts[spare[least]])] < 2:
                least += 1
            if least < len(spare):
                self._give(spare[least], n)
                least += 1

    def _give(self, n: int, source: int) -> None:
        self._count[self._run(self._puts[n])] -= not self._puts[n].piece.is_sign
        self._puts[n].source = source
        self._count[self._run(self._puts[n])] += 1

    def _run(self, put: Put) -> int:
        return self._layout.runs[put.source]

    def _is_same(self, put: Put) -> bool:
        """Whether it is just what it stands for."""
        return self._layout.pieces[put.source].text.casefold() == put.piece.text.casefold()


def _nearest(places: Sequence[int], place: float) -> int:
    """Which of these, in their order."""
    at = bisect_left(places, place)
    if at == len(places):
        return at - 1
    return at - 1 if at and place - places[at - 1] <= places[at] - place else at

"""Elements that no word of a translation stands for, though they had words: each claims one.

One whose only word is still there, elsewhere, gets it back. Another gets the word that stands where
its own would if nothing had changed its place. No element gives its last word away, and no word
that is made of several pieces, as an address is, is torn.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from heedful.documents.layout import Layout
from heedful.documents.pieces import KEPT, Put


def settle_claims(puts: Sequence[Put], layout: Layout, scale: float) -> None:
    """Changes what some pieces stand for. `scale`: how many characters the source has for each of
    the translation's."""
    claims = _Claims(puts, layout)
    if claims.waiting:
        claims.give_back()
        claims.share(scale)


class _Claims:
    """Pieces of the translation, and the runs that wait for one."""

    def __init__(self, puts: Sequence[Put], layout: Layout) -> None:
        self._puts = puts
        self._layout = layout
        self._whole = set(_in_one_piece(puts))
        self._count = Counter(self._run(put) for put in puts if not put.piece.is_sign)
        self.waiting: dict[int, list[int]] = {}
        """Of each run in an element that has none, its pieces that are letters or digits."""
        for n, piece in enumerate(layout.pieces):
            run = layout.runs[n]
            has_words = not piece.is_sign and piece.kind != KEPT
            if layout.chain(n) and run not in self._count and has_words:
                self.waiting.setdefault(run, []).append(n)

    def give_back(self) -> None:
        """To runs of one piece that is there, but stands for another."""
        places: dict[str, list[int]] = {}  # backwards, so that pop() takes the first
        for n, put in reversed(list(enumerate(self._puts))):
            if n in self._whole and not self._is_same(put):
                places.setdefault(put.piece.text.casefold(), []).append(n)
        for own in self.waiting.values():
            there = places.get(self._layout.pieces[own[0]].text.casefold())
            if len(own) == 1 and there:
                self._give(there.pop(), own[0])

    def share(self, scale: float) -> None:
        """Gives each run that still waits, and has letters, a word of a run that has several. The
        words stand in the order of the runs that get them."""
        wanted = self._first_letters()
        spare = [
            n
            for n, put in enumerate(self._puts)
            if put.piece.kind == "letters" and n in self._whole and self._count[self._run(put)] > 1
        ]
        starts = [self._puts[n].piece.start for n in spare]
        least = 0
        for left, n in zip(range(len(wanted), 0, -1), wanted, strict=True):
            at = _nearest(starts, self._layout.pieces[n].start / max(scale, 1e-9))
            least = max(least, min(at, len(spare) - left))
            while least < len(spare) and self._count[self._run(self._puts[spare[least]])] < 2:
                least += 1
            if least < len(spare):
                self._give(spare[least], n)
                least += 1

    def _first_letters(self) -> list[int]:
        """Of each run that still waits, if it has some."""
        firsts = (
            next((n for n in own if self._layout.pieces[n].kind == "letters"), None)
            for run, own in self.waiting.items()
            if run not in self._count
        )
        return [n for n in firsts if n is not None]

    def _give(self, n: int, source: int) -> None:
        """A piece of the translation to a piece of the source."""
        put = self._puts[n]
        self._count[self._run(put)] -= not put.piece.is_sign
        put.source = source
        self._count[self._run(put)] += 1

    def _run(self, put: Put) -> int:
        return self._layout.runs[put.source]

    def _is_same(self, put: Put) -> bool:
        """Whether it is just what it stands for."""
        return self._layout.pieces[put.source].text.casefold() == put.piece.text.casefold()


def _in_one_piece(puts: Sequence[Put]) -> Iterator[int]:
    """Those that are all of their word, but for signs."""
    own: list[int] = []  # of the word at hand, what is no sign
    end = 0
    for n, put in enumerate(puts):
        if put.piece.start > end:
            yield from own if len(own) == 1 else ()
            own = []
        own += [n] * (not put.piece.is_sign)
        end = put.piece.start + len(put.piece.text)
    yield from own if len(own) == 1 else ()


def _nearest(places: Sequence[int], place: float) -> int:
    """Which of these, in their order."""
    at = bisect_left(places, place)
    if at == len(places):
        return at - 1
    return at - 1 if at and place - places[at - 1] <= places[at] - place else at

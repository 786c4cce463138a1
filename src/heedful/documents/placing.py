"""Where a translation goes, among the elements and marks of its source.

Pieces that were neighbours have between them what was between them, to the letter. Elsewhere white
space is the translation's, and a mark goes with the word that it stood behind; if it stood at
another's beginning, with that. What stood before all words stays first, what stood behind all last.
Passages may have as many elements as words: none is compared with all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from heedful.documents.layout import Layout, has_space
from heedful.documents.matching import matched
from heedful.documents.once import standing_once
from heedful.documents.pieces import Put
from heedful.documents.runs import Chain, Mark, Run, in_common
from heedful.documents.standing_clear import standing_clear
from heedful.text.links import Link

Placed = list[Run | Mark]
"""What comes, in which elements."""


class _Gap(NamedTuple):
    """What of a gap goes with the word before it, and what with the word behind it."""

    left: Sequence[Run | Mark]
    right: Sequence[Run | Mark]


class Placing:
    """One translation of a passage."""

    def __init__(self, layout: Layout, translation: str, links: Sequence[Link]) -> None:
        self._layout = layout
        self._translation = translation
        self._puts = matched(layout, translation, links)

    def placed(self, *, in_order: bool = False, gap_in_element: bool = False) -> Placed:
        """All of it. `in_order`: each element in one piece, where it was among the others;
        `gap_in_element`: no space may stand between elements."""
        puts, gaps = self._puts, self._layout.gaps
        if in_order:
            sources = sorted(put.source for put in puts)
            puts = [Put(put.piece, n, put.mark) for put, n in zip(puts, sources, strict=True)]
        slots = _slots(self._layout, puts)
        found: Placed = [*gaps[0]]
        end = 0
        for n, put in enumerate(puts):
            chain = self._chain(put)
            left, right = _sides(slots[n])
            space = self._translation[end : put.piece.start] if n else ""
            if n and self._are_neighbours(puts[n - 1], put, slots[n], bool(space)):
                found += gaps[put.source]
            else:
                found += left
                if space and not has_space(_marks(left)):
                    last = in_common(found[-1].chain, chain)
                    found.append(Run(space, self._chain(puts[n - 1]) if gap_in_element else last))
                found += right
            found.append(put.mark or Run(put.piece.text, chain))
            end = put.piece.start + len(put.piece.text)
        left, right = _sides(slots[len(puts)])
        return standing_once(standing_clear([*found, *left, *right], self._layout, puts))

    def _chain(self, put: Put) -> Chain:
        """The elements that a piece goes into."""
        return self._layout.chain(put.source)

    def _are_neighbours(self, one: Put, other: Put, slot: dict[int, _Gap], has_gap: bool) -> bool:
        """Whether they were, and all that stood between them, and that alone, still does."""
        gap = self._layout.gaps[other.source]
        if other.source != one.source + 1 or has_gap != has_space(gap):
            return False
        left, right = _sides(slot)
        is_alone = slot.keys() <= {other.source}
        return is_alone and len(_marks([*left, *right])) == len(_marks(gap))


def _slots(layout: Layout, puts: Sequence[Put]) -> list[dict[int, _Gap]]:
    """What of which gap comes before each piece of the translation, and behind the last."""
    firsts: dict[int, int] = {}
    lasts: dict[int, int] = {}
    for n, put in enumerate(puts):
        firsts.setdefault(put.source, n)
        lasts[put.source] = n
    slots: list[dict[int, _Gap]] = [{} for _ in range(len(puts) + 1)]
    empty = _without_pieces(layout, puts)
    placed = {id(put.mark) for put in puts}
    lost = {n: mark for n, mark in layout.kept.items() if id(mark) not in placed}
    behind = 0
    end = len(layout.pieces)
    before = [len(puts)] * (end + 1)
    for n in reversed(range(end)):
        before[n] = firsts.get(n, before[n + 1])
    for n in range(end):
        behind = lasts.get(n, behind - 1) + 1
        gap = _cut(layout, n + 1)
        if n in lost:
            gap = _Gap([lost[n], *gap.left], gap.right)
        elif n in empty:
            gap = _Gap([Mark((), empty[n]), *gap.left], gap.right)
        for slot, some in ((behind, _Gap(gap.left, ())), (before[n + 1], _Gap((), gap.right))):
            if some.left or some.right:
                old = slots[slot].get(n + 1, _Gap((), ()))
                slots[slot][n + 1] = _Gap([*old.left, *some.left], [*old.right, *some.right])
    return slots


def _sides(slot: dict[int, _Gap]) -> tuple[list[Run | Mark], list[Run | Mark]]:
    """What goes with the piece before, and what with the piece behind."""
    gaps = slot.values()
    return [i for gap in gaps for i in gap.left], [i for gap in gaps for i in gap.right]


def _cut(layout: Layout, n: int) -> _Gap:
    """Marks at the beginning of a word, if there is white space before them, go with it."""
    gap = layout.gaps[n]
    if n == len(layout.pieces):
        return _ended(gap)
    cut = len(gap)
    while cut and not has_space(gap[cut - 1 : cut]):
        cut -= 1
    if not cut or layout.pieces[n].is_sign:
        cut = len(gap)
    left = cut
    while left and isinstance(gap[left - 1], Run):
        left -= 1
    return _Gap(gap[:left], gap[cut:])


def _ended(gap: Sequence[Run | Mark]) -> _Gap:
    """The last: marks that touch the last word go with it."""
    cut = 0
    while cut < len(gap) and not has_space(gap[cut : cut + 1]):
        cut += 1
    return _Gap(gap[:cut], gap[cut:])


def _without_pieces(layout: Layout, puts: Sequence[Put]) -> dict[int, Chain]:
    """Where elements begin that nothing is left of: they stay, empty."""
    runs = {layout.runs[put.source] for put in puts}
    there = {element for run in runs for element in layout.content[run].chain}
    found: dict[int, Chain] = {}
    for n, run in enumerate(layout.runs):
        if run not in runs and not there.issuperset(layout.chain(n)):
            there.update(layout.chain(n))
            found[n] = layout.chain(n)
    return found


def _marks(items: Sequence[Run | Mark]) -> list[Mark]:
    return [item for item in items if isinstance(item, Mark)]

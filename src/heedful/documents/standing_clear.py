"""Words that stay as they are, as marks of a passage, keep clear of the words beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from heedful.documents.layout import Layout
from heedful.documents.runs import Mark, Run, in_common
from heedful.text.scripts import ALONE

Item = Run | Mark


def standing_clear(placed: Sequence[Item], layout: Layout) -> list[Item]:
    """The same, with a space between such a word and a letter beside it, unless it was written onto
    a letter in the source, too."""
    written_on = set(_written_on(layout))
    found = [*placed[:1]]
    for one, other in pairwise(placed):
        mark = other if isinstance(one, Run) else one
        if _would_touch(one, other) and (id(mark), mark is one) not in written_on:
            found.append(Run(" ", in_common(one.chain, other.chain)))
        found.append(other)
    return found


def _would_touch(one: Item, other: Item) -> bool:
    match one, other:
        case Run(), Mark(is_word=True):
            return ALONE.match(one.text[-1:]) is not None
        case Mark(is_word=True), Run():
            return ALONE.match(other.text) is not None
    return False


def _written_on(layout: Layout) -> Iterator[tuple[int, bool]]:
    """The marks with a letter beside them, and whether it stands behind."""
    for n, gap in enumerate(layout.gaps):
        if gap and n > 0 and ALONE.match(layout.pieces[n - 1].text[-1]):
            yield id(gap[0]), False
        if gap and n < len(layout.pieces) and ALONE.match(layout.pieces[n].text):
            yield id(gap[-1]), True

"""Words that stay as they are, as marks of a passage, keep clear of the words beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from heedful.documents.layout import Layout, has_space
from heedful.documents.pieces import Put
from heedful.documents.runs import Mark, Run, in_common
from heedful.text.scripts import ALONE

Item = Run | Mark
Name = tuple[int | None, int | None]
"""Of two neighbours: which marks they are, if they are marks."""


def standing_clear(placed: Sequence[Item], layout: Layout, puts: Sequence[Put]) -> list[Item]:
    """The same, with a space between such a word and a letter or another one beside it, unless it
    is written onto that in the source, too."""
    joined = {*_joined_marks(layout), *_joined_words(layout, puts)}
    found = [*placed[:1]]
    for one, other in pairwise(placed):
        if _would_touch(one, other) and _name(one, other) not in joined:
            found.append(Run(" ", in_common(one.chain, other.chain)))
        found.append(other)
    return found


def _name(one: Item, other: Item) -> Name:
    return _id(one), _id(other)


def _id(item: Item) -> int | None:
    return id(item) if isinstance(item, Mark) else None


def _would_touch(one: Item, other: Item) -> bool:
    match one, other:
        case Run(), Mark(is_word=True):
            return ALONE.match(one.text[-1:]) is not None
        case Mark(is_word=True), Run():
            return ALONE.match(other.text) is not None
        case Mark(is_word=True), Mark(is_word=True):
            return True
    return False


def _joined_marks(layout: Layout) -> Iterator[Name]:
    """Those that are neighbours in the source."""
    for one, other in pairwise(layout.content):
        if isinstance(one, Mark) and isinstance(other, Mark):
            yield id(one), id(other)


def _joined_words(layout: Layout, puts: Sequence[Put]) -> Iterator[Name]:
    """The marks with a letter beside them which went along: with the word before, or the word
    behind if there is white space before the mark."""
    there = {put.source for put in puts}
    neighbours = {(one.source, other.source) for one, other in pairwise(puts)}
    for n, gap in enumerate(layout.gaps):
        if gap and n - 1 in there and ALONE.match(layout.pieces[n - 1].text[-1]):
            yield None, id(gap[0])
        goes_along = n in there if n == 0 or has_space(gap) else (n - 1, n) in neighbours
        if gap and goes_along and ALONE.match(layout.pieces[n].text):
            yield id(gap[-1]), None

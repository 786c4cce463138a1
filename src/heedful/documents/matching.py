"""Which piece of a source each piece of its translation stands for.

A word of the translation stands for the word that it looked at. If both are the same word, so are
their pieces; else they are paired from both ends as long as they are of a kind (a quote with a
quote, a number with a number), and what remains goes with the first letters that remain.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

from heedful.documents.claims import settle_claims
from heedful.documents.kept import kept_places
from heedful.documents.layout import Layout
from heedful.documents.pieces import KEPT, Piece, Put, pieces, words
from heedful.text.links import Link, Span
from heedful.text.sentences import SENTENCE_ENDS

LARGEST_HOLE = 2  # words between two of an element that it takes in
SIGNS = 4  # that may stand around them
_NOWHERE = sys.maxsize, sys.maxsize


def matched(layout: Layout, translation: str, links: Sequence[Link]) -> list[Put]:
    """All but its white space."""
    scale = len(layout.text) / max(1, len(translation))
    puts = _by_links(layout, translation, links, scale, kept_places(layout, translation, links))
    _end_alike(puts, layout)
    _take_in_holes(puts, layout)
    settle_claims(puts, layout, scale)
    return puts


def _by_links(
    layout: Layout,
    translation: str,
    links: Sequence[Link],
    scale: float,
    kept: Mapping[Span, int],
) -> list[Put]:
    """Words that looked at nothing stand for what the word before them does. Where no word looks at
    anything, each stands for what would be in its place."""
    looked_at = {n: link.source[0] for link in links for n in range(*link.target)}
    borders = (border for link in links for border in link.target)
    puts: list[Put] = []
    for start, end in _with_kept(words(translation, borders), kept):
        if (n := kept.get((start, end))) is not None:
            puts.append(Put(Piece(KEPT, translation[start:end], start), n, layout.kept[n]))
            continue
        own = list(pieces(translation, start, end))
        first = next((piece.start for piece in own if not piece.is_sign), start)
        place = looked_at.get(first, looked_at.get(start))
        if place is None and looked_at and puts:
            puts += [Put(piece, puts[-1].source) for piece in own]
        else:
            at = int(start * scale) if place is None else place
            puts += _paired(own, layout, layout.word_at(at))
    return puts


def _with_kept(words: Sequence[Span], kept: Iterable[Span]) -> list[Span]:
    """The words, but what stays as it is is one, and no part of another."""
    found = list(kept)
    coming = iter(sorted(found))
    start, end = next(coming, _NOWHERE)
    for first, last in words:
        while first < last:
            while end <= first:
                start, end = next(coming, _NOWHERE)
            if first < start:
                found.append((first, min(last, start)))
            first = end if start < last else last
    return sorted(found)


def _paired(own: Sequence[Piece], layout: Layout, word: range) -> Iterator[Put]:
    """The pieces of one word with those of another."""
    others = layout.pieces[word.start : word.stop]
    text, other = ("".join(piece.text for piece in some) for some in (own, others))
    is_same = len(text) == len(other) and text.casefold() == other.casefold()
    return (
        _cut_alike(text, own[0].start, others, word) if is_same else _of_a_kind(own, others, word)
    )


def _cut_alike(text: str, start: int, others: Sequence[Piece], word: range) -> Iterator[Put]:
    """The same word: its pieces are those of the other, whatever they would be themselves."""
    for n, other in zip(word, others, strict=True):
        place = other.start - others[0].start
        same = text[place : place + len(other.text)]
        kind = "letters" if other.kind == KEPT else other.kind
        yield Put(Piece(kind, same, start + place), n)


def _of_a_kind(own: Sequence[Piece], others: Sequence[Piece], word: range) -> Iterator[Put]:
    """Another word: so many pieces from its beginning, so many to its end, and the middle."""
    most = min(len(own), len(others))
    head = _alike(own, others, most)
    tail = _alike(own[::-1], others[::-1], most - head)
    rest = [n for n in range(head, len(others) - tail) if not others[n].is_sign]
    middle = rest[0] if rest else max(0, head - 1)
    for n, piece in enumerate(own):
        if n < head:
            at = n
        elif n >= len(own) - tail:
            at = len(others) - len(own) + n
        else:
            at = middle
        yield Put(piece, word[at])


def _alike(own: Sequence[Piece], others: Sequence[Piece], most: int) -> int:
    """How many from the beginning are of the same kinds."""
    n = 0
    while n < most and own[n].kind == others[n].kind:
        n += 1
    return n


def _end_alike(puts: Sequence[Put], layout: Layout) -> None:
    """The signs that end a translation stand for the same ones at the end of its source, wherever
    they looked; full stops and their kin are the same."""
    for put, n in zip(reversed(puts), reversed(range(len(layout.pieces))), strict=False):
        one, other = put.piece, layout.pieces[n]
        are_ends = one.text[0] in SENTENCE_ENDS and other.text[0] in SENTENCE_ENDS
        if not (one.is_sign and other.is_sign and (are_ends or one.text == other.text)):
            break
        put.source = n


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
        is_small = is_small and not any(other.mark for other in hole)
        if is_small and all(_is_outside(layout, other.source, put.source) for other in hole):
            for other in hole:
                other.source = puts[before].source


def _is_outside(layout: Layout, one: int, other: int) -> bool:
    """Whether a piece stands around the element of another."""
    chain, inner = layout.chain(one), layout.chain(other)
    return len(chain) < len(inner) and inner[: len(chain)] == chain

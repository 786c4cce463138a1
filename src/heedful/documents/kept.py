"""Where a translation has the words that stay as they are."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from heedful.documents.layout import Layout
from heedful.text.links import Link, Span
from heedful.text.numbers import NUMBER, numbers_in, plain
from heedful.text.scripts import ALONE, STANDS_ALONE

_START = re.compile(rf"[{STANDS_ALONE}]++|[^\s{STANDS_ALONE}]")


def kept_places(layout: Layout, translation: str, links: Sequence[Link]) -> dict[Span, int]:
    """The places, and which piece of the source stands there: the one that is looked at from there,
    or else the first that has no place yet."""
    waiting: dict[str, dict[int, None]] = {}
    for n in layout.kept:
        waiting.setdefault(_key(layout.pieces[n].text), {})[n] = None
    if not waiting:
        return {}
    places = _apart(_words_in(waiting, translation) | numbers_in(translation))
    sources = {place: link.source[0] for link in links for place in range(*link.target)}
    found: dict[Span, int] = {}
    for text, own in waiting.items():
        there = places.get(text, [])
        for span in there:
            looked_at = layout.word_at(sources[span[0]]) if span[0] in sources else ()
            meant = next((n for n in looked_at if n in own), None)
            if meant is not None:
                found[span] = meant
                del own[meant]
        found |= zip([span for span in there if span not in found], own, strict=False)
    return found


def _key(text: str) -> str:
    """Numbers are the same whatever separates their digits."""
    return plain(text) if NUMBER.fullmatch(text) else text


def _words_in(words: Collection[str], translation: str) -> dict[str, list[Span]]:
    """Where they stand, not as a part of more. All are looked for at once: there may be as many of
    them as there are words."""
    found: dict[str, list[Span]] = {word: [] for word in words}
    lengths = {len(word) for word in words}
    for match in _START.finditer(translation):
        start = match.start()
        for length in lengths:
            end = start + length
            word = translation[start:end]
            if len(word) == length and word in found and not _goes_on(translation, end):
                found[word].append((start, end))
    return found


def _goes_on(text: str, place: int) -> bool:
    """Whether a word does not end there."""
    return bool(ALONE.match(text[place - 1]) and ALONE.match(text, place))


def _apart(places: Mapping[str, Sequence[Span]]) -> dict[str, list[Span]]:
    """No place is part of a longer text's."""
    taken: set[int] = set()
    found: dict[str, list[Span]] = {}
    for text in sorted(places, key=len, reverse=True):
        found[text] = [span for span in places[text] if taken.isdisjoint(range(*span))]
        taken.update(place for span in found[text] for place in range(*span))
    return found

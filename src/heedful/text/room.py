"""A translation, and which places in it are free for what it lacks."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain

from heedful.text.edits import Edit
from heedful.text.links import Link, Span
from heedful.text.looking import Looking
from heedful.text.seams import without_doubles
from heedful.text.wanted import Wanted, spans_of

_SHORT = 4  # letters of a term that are too few to know it by, if it has an ending


class Room:
    """The words of a translation, where they look, and which are to stay. All is looked up, and
    what is taken is laid aside: a text full of numbers takes time in proportion to its length."""

    def __init__(self, wanted: Sequence[Wanted], translation: str, links: Sequence[Link]) -> None:
        self.text = translation
        self.links = sorted(links, key=lambda link: (link.source, link.target))
        """In the order of the source."""
        self.words = sorted(links, key=lambda link: link.target)
        """In the order of the translation."""
        self.starts = [link.source[0] for link in self.links]
        self._ends = [link.source[1] for link in self.links]
        self._kept = bytearray(len(translation))
        self._wanted = {place for want in wanted for place in range(*want.source)}
        self._said = sorted(want.source for want in wanted if not want.is_tag)
        self._looking: dict[Span, Looking] = {}
        self._replaced: dict[str, Iterator[Span]] = {}
        """Where the words stand that what is wanted took the place of."""
        self._ended: dict[str, Iterator[Span]] = {}
        """Where what is wanted stands with an ending."""

    def keep(self, span: Span) -> None:
        """What stands there is no longer free."""
        self._kept[slice(*span)] = b"\1" * (span[1] - span[0])

    def is_kept(self, span: Span) -> bool:
        """Whether it, or a part of it, is not free."""
        return self._kept.find(1, *span) >= 0

    def looking_at(self, want: Wanted) -> tuple[int, Looking]:
        """The words that look at it, and the number of their first link."""
        first = bisect_right(self._ends, want.source[0])
        last = max(first, bisect_left(self.starts, want.source[1]))
        some = self._looking.get((first, last))
        if some is None:
            some = self._looking[first, last] = Looking(self.text, self.links[first:last])
        return first, some

    def from_place(self, place: int) -> int:
        """The number of the first word that begins there, or behind it."""
        return bisect_left(self.words, place, key=lambda link: link.target[0])

    def word_behind(self, place: int, n: int, some: Looking) -> Link | None:
        """The word of this number, if it looks there, is free and follows a place."""
        link = self._free_word(n, some)
        follows = link and not self.text[place : core(self.text, link.target)[0]].strip()
        return link if follows else None

    def word_before(self, place: int, n: int, some: Looking) -> Link | None:
        """The same, if the place follows it."""
        link = self._free_word(n, some)
        is_followed = link and not self.text[core(self.text, link.target)[1] : place].strip()
        return link if is_followed else None

    def _free_word(self, n: int, some: Looking) -> Link | None:
        if not 0 <= n < len(self.words):
            return None
        link = self.words[n]
        looks = some.source[0] <= link.source[0] and link.source[1] <= some.source[1]
        return link if looks and not self.is_kept(link.target) else None

    def is_shared(self, source: Span) -> bool:
        """Whether there is more than one thing in it that is wanted."""
        starts = bisect_left(self._said, (source[1],))
        return starts > 1 and self._said[starts - 2][1] > source[0]

    def says(self, rest: str, start: int, want: Wanted) -> bool:
        """Whether a part of the source has words, besides what is wanted itself."""
        return any(
            letter.isalnum() and (want.is_tag or place not in self._wanted)
            for place, letter in enumerate(rest, start)
        )

    def instead(self, want: Wanted, place: Span) -> Edit:
        """It takes this place, which is no longer free."""
        if place[0] < place[1] and _has_mark(want.text, self.text, place[0]):
            place = place[0] - 1, place[1]
        text, wider = without_doubles(want.text, self.text, place)
        if self.is_kept(wider):
            text, wider = want.text, place
        self.keep(wider)
        if place[0] < place[1] and want.text not in self._replaced:
            self._replaced[want.text] = spans_of(self.text[slice(*place)], self.text)
        return Edit(text, wider)

    def again(self, want: Wanted) -> Span | None:
        """Where what it took the place of stands once more, or it stands with an ending."""
        if want.text not in self._ended:
            self._ended[want.text] = _with_endings(want.text, self.text)
        places = chain(self._replaced.get(want.text, ()), self._ended[want.text])
        return next((span for span in places if not self.is_kept(span)), None)


def _has_mark(term: str, text: str, place: int) -> bool:
    """Whether the mark that a term begins with stands right before a place: #dogs, @anna, +49."""
    return not term[0].isalnum() and text[max(0, place - 1) : place] == term[0]


def core(text: str, word: Span) -> Span:
    """A word without the marks around it; only its beginning, if it has nothing else."""
    inside = [place for place in range(*word) if text[place].isalnum() or text[place] == "_"]
    return (inside[0], inside[-1] + 1) if inside else (word[0], word[0])


def _with_endings(term: str, text: str) -> Iterator[Span]:
    """Where it stands, bent: a short one would be found in other words (EU in EURO)."""
    if len(term) < _SHORT:
        return
    for match in re.finditer(rf"(?<!\w){re.escape(term)}([^\W\d_]{{1,3}})(?!\w)", text):
        if match[1].islower():
            yield match.span()

"""Sentences as a model reads them: without the tags around their words.

A tag says nothing, and few models have learnt from texts with tags: what they make of one is
seldom a tag, and spoils the words beside it. So they read the words alone, and the tags are put in
again where the words went.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from heedful.text.copied import copied
from heedful.text.edits import pairs
from heedful.text.links import Span

_EMPTY = re.compile(r"/>$|^<(?:br|hr|img|wbr)\b", re.IGNORECASE)
_MAY_BE_A_WORD = re.compile(r"<[\w:-]+>")


@dataclass(frozen=True)
class Tag:
    """One that is left out."""

    start: int
    """Where it stood in the text as it was."""
    end: int
    is_space: bool
    """Whether a space is left of it."""

    @property
    def gone(self) -> int:
        """Characters that are missing."""
        return self.end - self.start - self.is_space


@dataclass(frozen=True)
class Untagged:
    """A text without its tags, and where these stood."""

    text: str
    tags: tuple[Tag, ...]
    """In order."""

    @cached_property
    def _gone(self) -> list[int]:
        """Characters of all tags before each, and of all."""
        return [0, *accumulate(tag.gone for tag in self.tags)]

    @cached_property
    def _places(self) -> list[int]:
        """Where each would stand in the text as it is."""
        return [tag.start - gone for tag, gone in zip(self.tags, self._gone, strict=False)]

    @cached_property
    def _places_behind(self) -> list[int]:
        """The same, behind the spaces that are left."""
        return [place + tag.is_space for tag, place in zip(self.tags, self._places, strict=True)]

    def here(self, span: Span) -> Span:
        """Where a part of the text as it was stands without tags."""
        start, end = (
            place - self._gone[bisect_right(self.tags, place, key=lambda tag: tag.end)]
            for place in span
        )
        return start, end

    def as_it_was(self, word: Span) -> Span:
        """Where a word stood, with the tags that were written onto it."""
        start, end = word
        return (
            start + self._gone[bisect_left(self._places, start)],
            end + self._gone[bisect_right(self._places_behind, end)],
        )


def read_all(text: str) -> Untagged:
    """With its tags, if it has some."""
    return Untagged(text, ())


def untagged(text: str) -> Untagged:
    """Without its tags, but for what may be a word: `Hello <name>`, which nothing closes. A space
    is left of those that have nothing in them: they part words (`one<br/>two`)."""
    tags = [want for want in copied(text) if want.is_tag] if "<" in text else []
    paired = {n for pair in pairs(want.text for want in tags).items() for n in pair}
    pieces, left_out, at = [], [], 0
    for n, want in enumerate(tags):
        start, end = want.source
        is_empty = _EMPTY.search(want.text) is not None
        if is_empty or n in paired or not _MAY_BE_A_WORD.fullmatch(want.text):
            pieces += [text[at:start], " " * is_empty]
            left_out.append(Tag(start, end, is_empty))
            at = end
    rest = "".join([*pieces, text[at:]])
    return Untagged(rest, tuple(left_out)) if any(map(str.isalpha, rest)) else read_all(text)

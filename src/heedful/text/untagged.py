"""Sentences as a model reads them: without the tags around their words.

A tag says nothing, and few models have learnt from texts with tags: what they make of one is
seldom a tag, and spoils the words beside it. So they read the words alone, and the tags are put in
again where the words went.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from heedful.text.edits import pairs
from heedful.text.links import Span
from heedful.text.wanted import Wanted


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

    @property
    def _gone(self) -> list[int]:
        """Characters of all tags before each, and of all."""
        return [0, *accumulate(tag.gone for tag in self.tags)]

    def here(self, span: Span) -> Span:
        """Where a part of the text as it was stands without tags."""
        gone, ends = self._gone, [tag.end for tag in self.tags]
        start, end = (place - gone[bisect_right(ends, place)] for place in span)
        return start, end

    def as_it_was(self, word: Span) -> Span:
        """Where a word stood, with the tags that were written onto it."""
        gone = self._gone
        starts = [tag.start - before for tag, before in zip(self.tags, gone, strict=False)]
        ends = [start + tag.is_space for tag, start in zip(self.tags, starts, strict=True)]
        return (
            word[0] + gone[bisect_left(starts, word[0])],
            word[1] + gone[bisect_right(ends, word[1])],
        )


def untagged(text: str, wanted: Sequence[Wanted]) -> Untagged | None:
    """None if it has no tags around its words. What stands alone (`Hello <name>`) may be a word. A
    space is left of those that have nothing in them: they part words (`one<br/>two`)."""
    tags = [want for want in wanted if want.is_tag]
    paired = {n for pair in pairs(want.text for want in tags).items() for n in pair}
    pieces, left_out, at = [], [], 0
    for n, want in enumerate(tags):
        start, end = want.source
        is_empty = want.text.endswith("/>") or want.text.lower() == "<br>"
        if is_empty or n in paired:
            pieces += [text[at:start], " " * is_empty]
            left_out.append(Tag(start, end, is_empty))
            at = end
    rest = "".join([*pieces, text[at:]])
    return Untagged(rest, tuple(left_out)) if left_out and any(map(str.isalpha, rest)) else None

"""Sentences as a model reads them: without the tags around their words.

A tag says nothing, and few models have learnt from texts with tags: what they make of one is
seldom a tag, and spoils the words beside it. So they read the words alone, and the tags are put in
again where the words went.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heedful.text.copied import copied
from heedful.text.edits import pairs
from heedful.text.links import Span

_EMPTY = re.compile(r"/>$|^<(?:br|hr|img|wbr)\b", re.IGNORECASE)
_BLOCK = "p|div|li|ul|ol|td|th|tr|table|h[1-6]|option|dt|dd|dl|section|article|blockquote|pre"
_PARTS_WORDS = re.compile(rf"</?(?:{_BLOCK})\b", re.IGNORECASE)
_INLINE = (
    "a|abbr|b|bdi|cite|code|del|em|font|g|i|ins|kbd|label|mark|q|s|small|span|strong|sub|sup|u|x"
)
_MAY_BE_A_WORD = re.compile(rf"<(?!(?:{_BLOCK}|{_INLINE})>)[\w:-]+>", re.IGNORECASE)
_IN_NUMBER = re.compile(r"[^\W_](?:<[^<>]*+>)+[0-9]|[0-9](?:<[^<>]*+>)+[^\W_]")
"""H<sub>2</sub>O: without the tags it would be another word."""


@dataclass(frozen=True)
class Untagged:
    """A text without its tags, and where its characters stood."""

    text: str
    places: Sequence[int]
    """Of each character, where it stood in the text as it was; of a space that is left of a tag,
    where the tag began."""
    starts: Mapping[int, int]
    """Of the tags that are written onto words: by their ends, where they began,"""
    ends: Mapping[int, int]
    """and the other way round."""

    def here(self, span: Span) -> Span:
        """Where a part of the text as it was stands without tags."""
        return bisect_left(self.places, span[0]), bisect_left(self.places, span[1])

    def as_it_was(self, word: Span) -> Span:
        """Where a word stood, with the tags that were written onto it."""
        start, end = self.places[word[0]], self.places[word[1] - 1] + 1
        while start in self.starts:
            start = self.starts[start]
        while end in self.ends:
            end = self.ends[end]
        return start, end


def read_all(text: str) -> Untagged:
    """With its tags, if it has some."""
    return Untagged(text, range(len(text)), {}, {})


def untagged(text: str) -> Untagged:
    """Without its tags, but for what may be a word: `Hello <name>`, which nothing closes. A space
    is left of those that part words: `one<br/>two`, `<li>one</li><li>two</li>`."""
    if "<" not in text or _IN_NUMBER.search(text):
        return read_all(text)
    tags = [want for want in copied(text) if want.is_tag]
    paired = {n for pair in pairs(want.text for want in tags).items() for n in pair}
    pieces: list[str] = []
    places: list[int] = []
    starts, ends, at = {}, {}, 0
    for n, want in enumerate(tags):
        is_empty = _EMPTY.search(want.text) is not None
        if is_empty or n in paired or not _MAY_BE_A_WORD.fullmatch(want.text):
            start, end = want.source
            parts = is_empty or _PARTS_WORDS.match(want.text) is not None
            pieces += [text[at:start], " " * parts]
            places += [*range(at, start), *[start] * parts]
            closes = want.text[1] == "/"
            if not parts or not (is_empty or closes):
                starts[end] = start
            if not parts or closes:
                ends[start] = end
            at = end
    rest = "".join([*pieces, text[at:]])
    places += range(at, len(text))
    return Untagged(rest, places, starts, ends) if any(map(str.isalpha, rest)) else read_all(text)

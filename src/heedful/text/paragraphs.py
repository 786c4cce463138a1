"""A text as lines to translate, and what stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from heedful.text.line_marks import word_starts

_BREAKS = r"\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
# From its first to its last character that is not white space, nor the mark that some editors write
# before a text; line breaks end it.
_LINE = re.compile(rf"[^\s\ufeff](?:[^{_BREAKS}]*[^\s\ufeff])?")


def split_paragraphs(text: str) -> tuple[list[str], list[str]]:
    """The lines that have something on them, without the white space around them and the marks that
    they begin with; and these: before the first, between them, behind the last."""
    lines, gaps, end = [], [], 0
    found = list(_LINE.finditer(text))
    for match, marks in zip(found, word_starts([match[0] for match in found]), strict=True):
        start = match.start() + marks
        gaps.append(text[end:start])
        lines.append(text[start : match.end()])
        end = match.end()
    return lines, [*gaps, text[end:]]


def join_paragraphs(lines: Iterable[str], gaps: Sequence[str]) -> str:
    """What was split, put together again."""
    return "".join(gap + line for gap, line in zip(gaps, lines, strict=False)) + gaps[-1]

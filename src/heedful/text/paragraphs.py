"""A text as lines to translate, and what stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

# From its first to its last character that is not white space; line breaks end it.
_LINE = re.compile(r"\S(?:[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*\S)?")


def split_paragraphs(text: str) -> tuple[list[str], list[str]]:
    """The lines that have something on them, without the white space around them; and that white
    space: before the first, between them, behind the last."""
    lines, gaps, end = [], [], 0
    for match in _LINE.finditer(text):
        gaps.append(text[end : match.start()])
        lines.append(match[0])
        end = match.end()
    return lines, [*gaps, text[end:]]


def join_paragraphs(lines: Iterable[str], gaps: Sequence[str]) -> str:
    """What was split, put together again."""
    return "".join(gap + line for gap, line in zip(gaps, lines, strict=False)) + gaps[-1]

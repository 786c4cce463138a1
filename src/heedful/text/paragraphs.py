"""A text as lines to translate, and what stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_BREAKS = r"\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
_SIGN = r"(?:[-–—*+>•‣⁃◦▪●○·]|\#{1,6}|[0-9]{1,3}[.)])"
MARK = rf"(?:{_SIGN}[^\S{_BREAKS}]++(?=\S)|[-–—](?=[^\W\d_]))"
"""Of an item, a heading, a quotation, a speaker, with its white space: - 5 degrees has one, -5
degrees none. Before a letter a dash needs no space."""
# From its first to its last character that is not white space; line breaks end it.
_LINE = re.compile(rf"{MARK}*+(?P<line>\S(?:[^{_BREAKS}]*\S)?)")


def split_paragraphs(text: str) -> tuple[list[str], list[str]]:
    """The lines that have something on them, without the white space around them and the marks that
    they begin with; and these: before the first, between them, behind the last."""
    lines, gaps, end = [], [], 0
    for match in _LINE.finditer(text):
        gaps.append(text[end : match.start("line")])
        lines.append(match["line"])
        end = match.end()
    return lines, [*gaps, text[end:]]


def join_paragraphs(lines: Iterable[str], gaps: Sequence[str]) -> str:
    """What was split, put together again."""
    return "".join(gap + line for gap, line in zip(gaps, lines, strict=False)) + gaps[-1]

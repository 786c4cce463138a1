"""A text as lines to translate, and what stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_BREAKS = r"\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
_SPACE = rf"[^\S{_BREAKS}]++(?=\S)"
_CAPITALS = "".join(letter for letter in map(chr, range(0x530)) if letter.isupper())
_SIGN = r"(?:[-–—―−*+>•‣⁃◦▪●○·]|\#{1,6}|[0-9]{1,3}\))"
_LINE_MARK = rf"(?:{_SIGN}{_SPACE}|[-–—―−](?=[{_CAPITALS}]))"
"""Of an item, a heading, a quotation, a speaker, with its white space: - 5 degrees has one, -5
degrees none. Before a capital letter a dash needs no space."""
# From its first to its last character that is not white space; line breaks end it.
_LINE = re.compile(
    rf"{_LINE_MARK}*+ (?: (?P<item> (?P<number>[0-9]{{1,3}}) [.]{_SPACE} ) {_LINE_MARK}*+ )?+"
    rf"(?P<line> \S (?: [^{_BREAKS}]*\S )? )",
    re.VERBOSE,
)


def split_paragraphs(text: str) -> tuple[list[str], list[str]]:
    """The lines that have something on them, without the white space around them and the marks that
    they begin with; and these: before the first, between them, behind the last."""
    lines, gaps, end = [], [], 0
    found = list(_LINE.finditer(text))
    numbers = [int(match["number"] or -1) for match in found]
    for n, match in enumerate(found):
        start = match.start("line" if _is_counted(numbers, n) else "item")
        gaps.append(text[end:start])
        lines.append(text[start : match.end()])
        end = match.end()
    return lines, [*gaps, text[end:]]


def _is_counted(numbers: Sequence[int], n: int) -> bool:
    """Whether a line's number goes on with a neighbour's. A lone one may be an ordinal: 3. Mai."""
    number = numbers[n]
    before, behind = numbers[max(0, n - 1) : n], numbers[n + 1 : n + 2]
    return number < 0 or number - 1 in before or number + 1 in behind


def join_paragraphs(lines: Iterable[str], gaps: Sequence[str]) -> str:
    """What was split, put together again."""
    return "".join(gap + line for gap, line in zip(gaps, lines, strict=False)) + gaps[-1]

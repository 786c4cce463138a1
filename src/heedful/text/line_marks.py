"""The marks that lines begin with: of items, headings, quotations, speakers."""

from __future__ import annotations

import re
from collections.abc import Sequence

DASH = r"[-–—―−]"
_SPACE = r"\s++(?=\S)"
_LETTERS = "".join(letter for letter in map(chr, range(0x530)) if letter.isalpha())
_CAPITALS = "".join(filter(str.isupper, _LETTERS))
_COUNT = rf"(?:[0-9]{{1,3}}|[ivx]{{2,5}}|[{_LETTERS}])"
_SIGN = rf"(?:{DASH}|[*+•‣⁃◦▪●○·]|>{{1,6}}|\#{{1,6}}|\(?+{_COUNT}\))"
_COUNTED = "Uhr|Mio|Mrd|Milli|Prozent|Euro|Dollar|Liter|Meter|Kilo|Grad|Stunden|[KMGT]B|[MG]Hz"
_SECTION = rf"[1-9][0-9]?(?:\.[0-9]{{1,2}}){{1,5}}\.?\s++(?=[{_CAPITALS}])(?!{_COUNTED})"
"""2.3.1 Dogs, but neither 3.5 dogs nor 12.30 Uhr: languages write some words that are counted with
a capital letter."""
_MARK = rf"(?:{_SIGN}{_SPACE}|{_SECTION}|{DASH}(?=[{_CAPITALS}]))"
"""With its white space: - 5 degrees has one, -5 degrees none. Before a capital letter a dash needs
no space."""
_MARKS = rf"(?>{_MARK}*)"
_BEFORE_WORDS = re.compile(
    rf"\s*+{_MARKS} (?P<item> (?> (?: (?P<number>[0-9]{{1,3}}|[a-z]) [.]{_SPACE}{_MARKS} )? ) )",
    re.VERBOSE,
)
_UNCOUNTED = -2  # no neighbour of any number


def word_starts(lines: Sequence[str]) -> list[int]:
    """Where the words begin in lines that follow each other, behind white space and marks."""
    found = [_before_words(line) for line in lines]
    if not any(match["number"] for match in found):  # as in most texts: nothing is counted
        return [match.end() for match in found]
    numbers = [_number(match["number"]) for match in found]
    return [
        match.end() if _is_counted(numbers, n) else match.start("item")
        for n, match in enumerate(found)
    ]


def may_have_mark(line: str) -> bool:
    """Whether it begins with one, or with a number that may be one."""
    return bool(_before_words(line)[0].strip())


def _before_words(line: str) -> re.Match[str]:
    found = _BEFORE_WORDS.match(line)
    assert found is not None  # of nothing, if there is nothing
    return found


def _number(written: str | None) -> int:
    """Letters are counted behind all numbers. Capital ones may be somebody's: A. Smith."""
    if written is None:
        return _UNCOUNTED
    return int(written) if written.isdigit() else 1000 + ord(written)


def _is_counted(numbers: Sequence[int], n: int) -> bool:
    """Whether a line's number goes on with a neighbour's. A lone one may be an ordinal (3. Mai)
    or a word (z. B.)."""
    number = numbers[n]
    return number - 1 in numbers[max(0, n - 1) : n] or number + 1 in numbers[n + 1 : n + 2]

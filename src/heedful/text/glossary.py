"""Terms, and what they are to be called."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from heedful.text.links import Span
from heedful.text.normalization import nfc
from heedful.text.wanted import Wanted

# A term begins and ends where words do: a text is a row of words, gaps, and single signs, each with
# the accents on it.
_ACCENT = "\u0301"
_UNIT = re.compile(rf"(?:\w{_ACCENT}*)+|\s+|.{_ACCENT}*", re.DOTALL)


class _Node:
    """Where one has come by the units of a term."""

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.called: dict[str, str | None] = {}
        """What terms that end here are called, by their spelling."""


class Glossary:
    """Looked up unit by unit: a pattern made of what a stranger wrote could take for ever, and
    how many terms there are, and how long, does not matter to a text that does not have them."""

    def __init__(self, terms: Mapping[str, str | None]) -> None:
        """None for those that stay as they stand in a text."""
        self._root = _Node()
        for term, called in terms.items():
            node = self._root
            for unit, _ in _units(term):
                node = node.next.setdefault(unit, _Node())
            node.called[_spelling(term)] = called

    def __bool__(self) -> bool:
        return bool(self._root.next)

    def in_text(self, text: str, fixed: Iterable[Span] = ()) -> list[Wanted]:
        """What the terms are called that stand in a text as words of their own, as often as they
        do; the longer wins where two overlap. Of terms that differ only in case it is the one that
        is spelt so, or the first. What is only a part of something fixed is no word."""
        if not self:
            return []
        found: list[Wanted] = []
        whole = set(fixed)
        inside = {place for span in whole for place in range(*span)}
        units = _units(text)
        at = 0
        while at < len(units):
            node, after = self._longest(units, at)
            if node is not None:
                span = units[at][1][0], units[after - 1][1][1]
                if span in whole or not inside.issuperset(range(*span)):
                    want = Wanted.of(_called(node, text[slice(*span)]), text, span)
                    found.append(replace(want, may_begin=_may_begin(want, text)))
            at = after
        return found

    def _longest(self, units: list[tuple[str, Span]], start: int) -> tuple[_Node | None, int]:
        """The end of the longest term that begins there, if one does, and where to go on."""
        best, after = None, start + 1
        node: _Node | None = self._root
        for at in range(start, len(units)):
            node = node.next.get(units[at][0]) if node else None
            if node is None:
                break
            if node.called:
                best, after = node, at + 1
        return best, after


def _called(node: _Node, spelt: str) -> str:
    spelling = _spelling(spelt)
    called = node.called.get(spelling, next(iter(node.called.values())))
    return spelling if called is None else called


def _spelling(term: str) -> str:
    """With its case, in NFC. All gaps are alike."""
    return " ".join(nfc(term).split())


def _may_begin(want: Wanted, text: str) -> bool:
    """Whether its first letter may be a capital one: `le cabot`, but not `eBay`, and not what is to
    stay as it is."""
    is_kept = _small(want.text) == _small(text[slice(*want.source)])
    return not is_kept and want.text.split()[0].islower()


def _units(text: str) -> list[tuple[str, Span]]:
    """Without their case, in NFC, and where they stand. All gaps are alike."""
    shape = text if text.isascii() else "".join(map(_shape, text))
    spans = [match.span() for match in _UNIT.finditer(shape)]
    return [(_small(text[slice(*span)]), span) for span in spans]


@lru_cache(maxsize=4096)
def _shape(letter: str) -> str:
    """All accents are alike."""
    return _ACCENT if unicodedata.category(letter)[0] == "M" else letter


def _small(unit: str) -> str:
    if unit.isspace():
        return " "
    return unit.lower() if unit.isascii() else nfc("".join(map(_small_letter, nfc(unit))))


def _small_letter(letter: str) -> str:
    """One that would become two (İ, ß) stays as it is, and the two small sigmas are one."""
    for small in (letter.casefold(), letter.lower()):
        if len(small) == 1:
            return small
    return letter

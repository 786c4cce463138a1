"""Terms, and what they are to be called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from heedful.text.links import Span
from heedful.text.wanted import Wanted

# A term begins and ends where words do: a text is a row of words, gaps, and single marks.
_UNIT = re.compile(r"\w+|\s+|.", re.DOTALL)


class _Node:
    """Where one has come by the units of a term."""

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.called: str | None = None  # what the term that ends here is called


class Glossary:
    """Looked up unit by unit: a pattern made of what a stranger wrote could take for ever, and
    how many terms there are, and how long, does not matter to a text that does not have them."""

    def __init__(self, terms: Mapping[str, str]) -> None:
        self._root = _Node()
        for term, called in terms.items():
            node = self._root
            for unit, _ in _units(term):
                node = node.next.setdefault(unit, _Node())
            node.called = called

    def __bool__(self) -> bool:
        return bool(self._root.next)

    def in_text(self, text: str, fixed: Iterable[Span] = ()) -> list[Wanted]:
        """What the terms are called that stand in a text as words of their own, each once; the
        longer wins where two overlap. What stands inside something fixed is no word."""
        if not self:
            return []
        found: dict[int, Wanted] = {}
        inside = {place for span in fixed for place in range(*span)}
        units = _units(text)
        at = 0
        while at < len(units):
            node, after = self._longest(units, at)
            if node is not None and node.called is not None:
                span = units[at][1][0], units[after - 1][1][1]
                if not inside.issuperset(range(*span)):
                    found.setdefault(id(node), Wanted.of(node.called, text, span))
            at = after
        return list(found.values())

    def _longest(self, units: list[tuple[str, Span]], start: int) -> tuple[_Node | None, int]:
        """The end of the longest term that begins there, if one does, and where to go on."""
        best, after = None, start + 1
        node: _Node | None = self._root
        for at in range(start, len(units)):
            node = node.next.get(units[at][0]) if node else None
            if node is None:
                break
            if node.called is not None:
                best, after = node, at + 1
        return best, after


def _units(text: str) -> list[tuple[str, Span]]:
    """Without their case, and where they stand. All gaps are alike."""
    small = _small(text)
    return [
        (" " if match[0].isspace() else match[0], match.span()) for match in _UNIT.finditer(small)
    ]


def _small(text: str) -> str:
    """Letter by letter, so that places stay the same: one that would become two (İ, ß) stays as it
    is, and the two small sigmas are one."""
    return text.lower() if text.isascii() else "".join(map(_small_letter, text))


def _small_letter(letter: str) -> str:
    for small in (letter.casefold(), letter.lower()):
        if len(small) == 1:
            return small
    return letter

"""Word's documents (.docx): paragraphs of runs, each with its own looks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from heedful.documents.passage import Composed, Passage
from heedful.documents.runs import DEEPEST, Chain, Element, Mark, Run
from heedful.documents.tags import Token, raw, tokens, unescaped
from heedful.errors import InputError

PARTS = re.compile(r"word/(document|header\d*|footer\d*|footnotes|endnotes)\.xml")
SPACES = {"w:tab", "w:br", "w:cr", "w:ptab"}
TEXT = '<w:t xml:space="preserve">'  # or Word would drop spaces at its ends


def read_word(text: str) -> Composed:
    """One part of the archive."""
    return Composed(_Reader(tokens(text)).parts())


class _Reader:
    """Knows where each element ends, so that none is gone through again for each one around it."""

    def __init__(self, found: Sequence[Token]) -> None:
        self._found = found
        self._ends = _ends(found)
        self._runs = [n for n in range(len(found)) if self._is(n, "w:r")]

    def parts(self) -> list[str | Passage]:
        """Passages, and what stands between them."""
        parts: list[str | Passage] = []
        between: list[str] = []
        n = 0
        while n < len(self._found):
            end = n + 1
            if self._is(n, "w:p"):
                end = self._ends[n]
                first = self._ends[n + 1] if self._is(n + 1, "w:ppr") else n + 1
                content = self._content(first, end - 1, ())
                if any(isinstance(item, Run) and item.text.strip() for item in content):
                    parts.append("".join(between) + self._raw(n, first))
                    # White space between runs means nothing to Word.
                    parts.append(Passage(tuple(content), has_space_around=False))
                    n, between = end - 1, []
            between.append(self._raw(n, end))
            n = end
        return [*parts, "".join(between)]

    def _content(self, first: int, last: int, chain: Chain) -> list[Run | Mark]:
        """Runs, and what else a paragraph has; elements around runs are inline elements."""
        items: list[Run | Mark] = []
        n = first
        while n < last:
            end = self._ends[n]
            if self._is(n, "w:r"):
                items += self._run(n, end, chain)
            elif self._has_run(n, end) and len(chain) < DEEPEST:
                around = Element(self._found[n].raw, self._found[end - 1].raw)
                items += self._content(n + 1, end - 1, (*chain, around))
            else:
                items.append(Mark(self._raw(n, end), chain))
            n = end
        return items

    def _run(self, first: int, end: int, chain: Chain) -> list[Run | Mark]:
        """Its texts, and what stands between them."""
        n = first + 1
        if self._is(n, "w:rpr"):
            n = self._ends[n]
        looks = Element(self._raw(first, n), self._found[end - 1].raw)
        text = Element(TEXT, "</w:t>")
        items: list[Run | Mark] = []
        while n < end - 1:
            behind = self._ends[n]
            if self._is(n, "w:t"):
                written = unescaped(self._raw(n + 1, behind - 1))
                items.append(Run(written, (*chain, looks, text)))
            else:
                is_space = self._found[n].name in SPACES
                items.append(Mark(self._raw(n, behind), (*chain, looks), is_space))
            n = behind
        return items or [Mark(self._raw(first, end), chain)]

    def _is(self, n: int, name: str) -> bool:
        """Whether an element of this name begins there."""
        return self._found[n].name == name and self._found[n].kind == "start"

    def _has_run(self, n: int, end: int) -> bool:
        later = bisect_right(self._runs, n)
        return later < len(self._runs) and self._runs[later] < end

    def _raw(self, first: int, end: int) -> str:
        return raw(self._found[first:end])


def _ends(found: Sequence[Token]) -> list[int]:
    """Behind the end of the element that begins at each; of what is no element, behind itself."""
    ends = list(range(1, len(found) + 1))
    waiting: list[int] = []
    for n, token in enumerate(found):
        if token.kind == "start":
            waiting.append(n)
        elif token.kind == "end":
            if not waiting or found[waiting[-1]].name != token.name:
                raise InputError(f"the file is damaged: {token.raw[:50]} ends nothing")
            ends[waiting.pop()] = n + 1
    if waiting:
        raise InputError(f"the file is damaged: {found[waiting[-1]].raw[:50]} is never ended")
    return ends

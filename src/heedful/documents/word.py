"""Word's documents (.docx): paragraphs of runs, each with its own looks."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from heedful.documents.markup import Token, escape, tokens
from heedful.documents.passage import Element, Mark, Passage, Run
from heedful.planning import Translation

PARTS = re.compile(r"word/(document|header\d*|footer\d*|footnotes|endnotes)\.xml")
SPACES = {"w:tab", "w:br", "w:cr", "w:ptab"}
TEXT = '<w:t xml:space="preserve">'  # or Word would drop spaces at its ends


class WordPart:
    """One part of the archive."""

    def __init__(self, text: str) -> None:
        self._parts: list[str | Passage] = []
        found = tokens(text)
        n = 0
        while n < len(found):
            end = n + 1
            if found[n].kind == "start" and found[n].name == "w:p":
                end = _end(found, n)
                self._parts += _paragraph(found[n:end])
            else:
                self._parts.append(found[n].raw)
            n = end

    @property
    def passages(self) -> list[str]:
        """To be translated."""
        return [part.text for part in self._parts if isinstance(part, Passage)]

    def rendered(self, translations: Sequence[Translation]) -> str:
        """The part again, with these translations of its passages."""
        coming = iter(translations)
        out = []
        for part in self._parts:
            if isinstance(part, str):
                out.append(part)
            else:
                translation = next(coming)
                out.append(part.rendered(translation.text, translation.links, escape))
        return "".join(out)


def _end(found: Sequence[Token], n: int) -> int:
    """Behind the end of the element that begins at n."""
    if found[n].kind != "start":
        return n + 1
    depth = 0
    for m in range(n, len(found)):
        if found[m].name == found[n].name:
            depth += {"start": 1, "end": -1}.get(found[m].kind, 0)
        if depth == 0:
            return m + 1
    return len(found)


def _paragraph(found: Sequence[Token]) -> list[str | Passage]:
    """What is not in a passage, and the passage, if it has text."""
    content = _content(found[1:-1], ())
    has_text = any(isinstance(item, Run) and item.text.strip() for item in content)
    if not has_text:
        return ["".join(token.raw for token in found)]
    first = 1
    head = found[0].raw
    if found[1].name == "w:ppr":
        first = _end(found, 1)
        head += "".join(token.raw for token in found[1:first])
        content = _content(found[first:-1], ())
    return [head, _without_space_around(content), found[-1].raw]


def _without_space_around(content: list[Run | Mark]) -> Passage:
    """The white space around the text must stay in runs: none stands between them in Word."""
    return _InRuns(tuple(content))


class _InRuns(Passage):
    def _around(self) -> tuple[str, str]:
        return "", ""


def _content(found: Sequence[Token], chain: tuple[Element, ...]) -> list[Run | Mark]:
    """Runs, and what else a paragraph has; elements around runs are inline elements."""
    items: list[Run | Mark] = []
    n = 0
    while n < len(found):
        end = _end(found, n)
        inside = found[n:end]
        if found[n].name == "w:r" and found[n].kind == "start":
            items += _run(inside, chain)
        elif found[n].kind == "start" and any(token.name == "w:r" for token in inside):
            around = Element(found[n].raw, found[end - 1].raw)
            items += _content(inside[1:-1], (*chain, around))
        else:
            items.append(Mark("".join(token.raw for token in inside), chain))
        n = end
    return items


def _run(found: Sequence[Token], chain: tuple[Element, ...]) -> list[Run | Mark]:
    """Each text of a run as a run of its own, with the same looks."""
    first = 1
    if len(found) > 2 and found[1].name == "w:rpr":
        first = _end(found, 1)
    opening = "".join(token.raw for token in found[:first])
    closing = found[-1].raw
    items: list[Run | Mark] = []
    n = first
    while n < len(found) - 1:
        end = _end(found, n)
        if found[n].name == "w:t" and found[n].kind == "start":
            text = html.unescape("".join(token.raw for token in found[n + 1 : end - 1]))
            looks = Element(opening + TEXT, "</w:t>" + closing)
            items.append(Run(text, (*chain, looks)))
        else:
            raw = "".join(token.raw for token in found[n:end])
            items.append(Mark(opening + raw + closing, chain, found[n].name in SPACES))
        n = end
    return items

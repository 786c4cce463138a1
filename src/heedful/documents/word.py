"""Word's documents (.docx): paragraphs of runs, each with its own looks."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from heedful.documents.passage import Composed, Element, Mark, Passage, Run
from heedful.documents.tags import Token, end_of, raw, tokens

PARTS = re.compile(r"word/(document|header\d*|footer\d*|footnotes|endnotes)\.xml")
SPACES = {"w:tab", "w:br", "w:cr", "w:ptab"}
TEXT = '<w:t xml:space="preserve">'  # or Word would drop spaces at its ends


def read_word(text: str) -> Composed:
    """One part of the archive."""
    parts: list[str | Passage] = []
    found = tokens(text)
    n = 0
    while n < len(found):
        end = n + 1
        if found[n].kind == "start" and found[n].name == "w:p":
            end = end_of(found, n)
            parts += _paragraph(found[n:end])
        else:
            parts.append(found[n].raw)
        n = end
    return Composed(parts)


def _paragraph(found: Sequence[Token]) -> list[str | Passage]:
    """What is not in a passage, and the passage, if it has text."""
    content = _content(found[1:-1], ())
    has_text = any(isinstance(item, Run) and item.text.strip() for item in content)
    if not has_text:
        return [raw(found)]
    first = 1
    head = found[0].raw
    if found[1].name == "w:ppr":
        first = end_of(found, 1)
        head += raw(found[1:first])
        content = _content(found[first:-1], ())
    # No white space stands between runs in Word.
    return [head, Passage(tuple(content), has_space_around=False), found[-1].raw]


def _content(found: Sequence[Token], chain: tuple[Element, ...]) -> list[Run | Mark]:
    """Runs, and what else a paragraph has; elements around runs are inline elements."""
    items: list[Run | Mark] = []
    n = 0
    while n < len(found):
        end = end_of(found, n)
        inside = found[n:end]
        if found[n].name == "w:r" and found[n].kind == "start":
            items += _run(inside, chain)
        elif found[n].kind == "start" and any(token.name == "w:r" for token in inside):
            around = Element(found[n].raw, found[end - 1].raw)
            items += _content(inside[1:-1], (*chain, around))
        else:
            items.append(Mark(raw(inside), chain))
        n = end
    return items


def _run(found: Sequence[Token], chain: tuple[Element, ...]) -> list[Run | Mark]:
    """Each text of a run as a run of its own, with the same looks."""
    first = 1
    if len(found) > 2 and found[1].name == "w:rpr":
        first = end_of(found, 1)
    opening = raw(found[:first])
    closing = found[-1].raw
    items: list[Run | Mark] = []
    n = first
    while n < len(found) - 1:
        end = end_of(found, n)
        if found[n].name == "w:t" and found[n].kind == "start":
            text = html.unescape(raw(found[n + 1 : end - 1]))
            looks = Element(opening + TEXT, "</w:t>" + closing)
            items.append(Run(text, (*chain, looks)))
        else:
            items.append(
                Mark(opening + raw(found[n:end]) + closing, chain, found[n].name in SPACES)
            )
        n = end
    return items

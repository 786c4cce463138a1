"""Changes of a text, all made at once, and the links of its words moved along."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from heedful.text.links import Link, Span

_CLOSES = re.compile(r"[.,;:!?)\]}»”%]")  # what no space stands before
TAG: Final = re.compile(r"<(/?)([A-Za-z][\w:-]*+|[0-9]++(?=/?>))[^<>]*+>")
"""A whole one: what begins with one and goes on is a text."""


@dataclass(frozen=True)
class Edit:
    """A text, and the place that it takes."""

    text: str
    place: Span
    """If it is empty, nothing makes room: the text gets spaces of its own."""
    word: Span | None = None
    """The word that it is written onto, without spaces."""
    source: Span | None = None
    """What it stands for in the source; tags stand for nothing."""
    score: float = 0.0
    """The share of what the word before it in this place looked at; 0 if there was none."""

    @property
    def is_between(self) -> bool:
        """Whether it takes nothing away."""
        return self.place[0] == self.place[1]


def pairs(texts: Iterable[str]) -> dict[int, int]:
    """The tags among them that open something, and which closes it."""
    found: dict[int, int] = {}
    opened: dict[str, list[int]] = {}
    for n, text in enumerate(texts):
        tag = TAG.fullmatch(text)
        if tag is None or text.endswith("/>"):
            continue
        name = tag[2].lower()
        if not tag[1]:
            opened.setdefault(name, []).append(n)
        elif opened.get(name):
            found[opened[name].pop()] = n
    return found


def in_pairs(edits: Sequence[Edit]) -> list[Edit]:
    """Tags that open stand before those that close them, though their words changed places. What
    stands in the text already is an edit too, one that changes nothing."""
    edits = list(edits)
    for first, last in pairs(edit.text for edit in edits).items():
        if edits[last].place < edits[first].place:
            edits[first], edits[last] = _turned(edits[first], edits[last])
    return edits


def _turned(opens: Edit, closes: Edit) -> tuple[Edit, Edit]:
    """Each in the other's place; where that is empty, around the other's word."""
    start, end = (closes.word or closes.place)[0], (opens.word or opens.place)[1]
    return (
        Edit(opens.text, (start, start if closes.is_between else closes.place[1]), closes.word),
        Edit(closes.text, (end if opens.is_between else opens.place[0], end), opens.word),
    )


def outside(edits: Sequence[Edit], spans: Iterable[Span]) -> list[Edit]:
    """None in the middle of what stands at these places: what opens goes before that."""
    around = {place: span for span in spans for place in range(span[0] + 1, span[1])}
    moved = []
    for edit in edits:
        if edit.is_between and (span := around.get(edit.place[0])):
            tag = TAG.fullmatch(edit.text)
            at = span[0] if tag and not tag[1] else span[1]
            edit = replace(edit, place=(at, at))
        moved.append(edit)
    return moved


def edited(text: str, edits: Sequence[Edit], links: Sequence[Link]) -> tuple[str, list[Link]]:
    """Those at one place stand in their order. Words that are gone have no links; what takes their
    place has one."""
    pieces: list[str] = []
    put_in: list[Link] = []
    length = at = 0
    moves = [(0, 0)]  # behind which place of the old text the new one is so much longer
    gone = bytearray(len(text))
    for edit in sorted(edits, key=lambda edit: edit.place):
        start, end = edit.place
        left, right = text[at:start], ""
        if edit.is_between and edit.word is None:
            start = end = max(at, start)
            left = text[at:start].rstrip()
            while not left and pieces and pieces[-1] != pieces[-1].rstrip():
                last = pieces.pop()
                length -= len(last)
                left = last.rstrip()
            while text[end : end + 1].isspace():
                end += 1
            behind = text[end : end + 1]
            left += " " if left or pieces else ""
            right = " " if behind and not _CLOSES.match(behind) else ""
        pieces.append(left + edit.text + right)
        length += len(left)
        if edit.source:
            begin = length + len(edit.text) - len(edit.text.lstrip())
            target = begin, begin + len(edit.text.strip())
            put_in.append(Link(edit.source, target, edit.score))
        length += len(edit.text + right)
        gone[edit.place[0] : edit.place[1]] = b"\1" * (edit.place[1] - edit.place[0])
        at = max(at, end)
        moves.append((edit.place[1], length - at))
    kept = [link for link in links if gone.find(1, *link.target) < 0]
    kept = _cut(kept, [edit.place[0] for edit in edits if edit.is_between and edit.source])
    all_links = [*_moved(kept, moves), *put_in]
    return "".join([*pieces, text[at:]]), sorted(all_links, key=lambda link: link.target)


def _cut(links: Sequence[Link], places: Iterable[int]) -> list[Link]:
    """A word that something is put into ends there."""
    cuts = [*sorted(places), sys.maxsize]
    found = []
    for link in links:
        start, end = link.target
        found.append(replace(link, target=(start, min(cuts[bisect_right(cuts, start)], end))))
    return found


def _moved(links: Sequence[Link], moves: Sequence[tuple[int, int]]) -> list[Link]:
    places = [place for place, _ in moves]
    found = []
    for link in links:
        start, end = link.target
        start += moves[bisect_right(places, start) - 1][1]
        end += moves[max(0, bisect_left(places, end) - 1)][1]
        found.append(replace(link, target=(start, end)))
    return found

"""Changes of a text, all made at once, and the links of its words moved along."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from heedful.text.links import Link, Span

_CLOSES = re.compile(r"[.,;:!?)\]}»”%]")  # what no space stands before
_TAG = re.compile(r"<(/?)([\w:-]+)")


@dataclass(frozen=True)
class Edit:
    """A text, and the place that it takes."""

    text: str
    place: Span
    """If it is empty, nothing makes room: the text gets spaces of its own."""
    word: Span | None = None
    """The word that it is written onto, without spaces."""


def in_pairs(edits: Sequence[Edit]) -> list[Edit]:
    """Tags that open stand before those that close them, though their words changed places."""
    edits = list(edits)
    opened: dict[str, list[int]] = {}
    for n, edit in enumerate(edits):
        tag = _TAG.match(edit.text)
        if tag is None:
            continue
        if not tag[1]:
            opened.setdefault(tag[2], []).append(n)
        elif opened.get(tag[2]):
            first = opened[tag[2]].pop()
            before = edits[first]
            if edit.place < before.place:
                start, end = (edit.word or edit.place)[0], (before.word or before.place)[1]
                edits[first] = replace(before, place=(start, start))
                edits[n] = replace(edit, place=(end, end))
    return edits


def edited(text: str, edits: Sequence[Edit], links: Sequence[Link]) -> tuple[str, list[Link]]:
    """Those at one place stand in their order. Words that are gone have no links."""
    pieces: list[str] = []
    length = at = 0
    moves = [(0, 0)]  # behind which place of the old text the new one is so much longer
    gone = bytearray(len(text))
    for edit in sorted(edits, key=lambda edit: edit.place):
        start, end = edit.place
        new = text[at:start] + edit.text
        if start == end and edit.word is None:
            start = end = max(at, start)
            left = text[at:start].rstrip()
            while not left and pieces and pieces[-1] != pieces[-1].rstrip():
                last = pieces.pop()
                length -= len(last)
                left = last.rstrip()
            while text[end : end + 1].isspace():
                end += 1
            behind = text[end : end + 1]
            new = left + (" " if left or pieces else "") + edit.text
            new += " " if behind and not _CLOSES.match(behind) else ""
        pieces.append(new)
        length += len(new)
        gone[edit.place[0] : edit.place[1]] = b"\1" * (edit.place[1] - edit.place[0])
        at = max(at, end)
        moves.append((edit.place[1], length - at))
    kept = [link for link in links if gone.find(1, *link.target) < 0]
    return "".join([*pieces, text[at:]]), _moved(kept, moves)


def _moved(links: Sequence[Link], moves: Sequence[tuple[int, int]]) -> list[Link]:
    places = [place for place, _ in moves]
    found = []
    for link in links:
        start, end = link.target
        start += moves[bisect_right(places, start) - 1][1]
        end += moves[max(0, bisect_left(places, end) - 1)][1]
        found.append(replace(link, target=(start, end)))
    return found

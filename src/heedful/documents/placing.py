"""Where the words of a translation go, among the elements and marks of their source.

Passages may have as many elements as words: none is compared with all others.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from heedful.documents.runs import Chain, Mark, Run, in_common
from heedful.text.links import Link

LARGEST_HOLE = 2  # words between two of an element that it takes in
Placed = list[tuple[Chain, str, bool]]
"""What comes in which elements, and whether it is text."""

_WORD = re.compile(r"\S+")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Spaced:
    """A passage's text with every white space as one space, and where its runs begin in it."""

    text: str
    starts: Sequence[int]
    runs: Sequence[int]

    @classmethod
    def of(cls, content: Sequence[Run | Mark]) -> Spaced:
        """Without white space at its ends."""
        pieces: list[str] = []
        starts: list[int] = []
        runs: list[int] = []
        length, ends_in_space = 0, True
        for n, item in enumerate(content):
            if isinstance(item, Run):
                piece = _SPACE.sub(" ", item.text)
                piece = piece.removeprefix(" ") if ends_in_space else piece
                if piece:
                    starts.append(length)
                    runs.append(n)
            else:
                piece = " " if item.is_space and not ends_in_space else ""
            if piece:
                pieces.append(piece)
                length += len(piece)
                ends_in_space = piece.endswith(" ")
        text = "".join(pieces).rstrip()
        n = bisect_left(starts, len(text))
        return cls(text, starts[:n], runs[:n])

    def run_at(self, place: int) -> int:
        """Whose character it is."""
        return self.runs[bisect_right(self.starts, place) - 1]


@dataclass(frozen=True)
class Placing:
    """The words of one translation of a passage."""

    content: Sequence[Run | Mark]
    source: Spaced
    translation: str
    links: Sequence[Link]

    def placed(self, *, in_order: bool = False, gap_in_element: bool = False) -> Placed:
        """All of it. `in_order`: each element in one piece, where it was among the others;
        `gap_in_element`: no space may stand between elements."""
        words = list(_WORD.finditer(self.translation))
        if not words:
            return [(m.chain, m.raw, False) for m in self.content if isinstance(m, Mark)]
        owners = self._owners(words)
        if in_order:
            owners.sort()
        marks = self._mark_places(owners)
        found: Placed = []
        end = 0
        for n, (word, owner) in enumerate(zip(words, owners, strict=True)):
            chain = self.content[owner].chain
            gap = self.translation[end : word.start()]
            before = marks.get(n, [])
            if gap and not any(mark.is_space for mark in before):
                last = found[-1][0] if found else chain
                found.append((last if gap_in_element else in_common(last, chain), gap, True))
            found += [(mark.chain, mark.raw, False) for mark in before]
            found.append((chain, word[0], True))
            end = word.end()
        return found + [(mark.chain, mark.raw, False) for mark in marks.get(len(words), [])]

    def _owners(self, words: Sequence[re.Match[str]]) -> list[int]:
        """Of each word of the translation, the run whose element it stands in."""
        length = len(self.source.text)
        if not length:
            return [0] * len(words)
        linked = {n: link.source[0] for link in self.links for n in range(*link.target)}
        whole = len(self.translation)
        places = [linked.get(word.start(), word.start() * length // whole) for word in words]
        owners = [self.source.run_at(min(place, length - 1)) for place in places]
        self._take_in_holes(owners)
        self._give_every_run_a_word(owners)
        return owners

    def _take_in_holes(self, owners: list[int]) -> None:
        """An element that would be cut in two by a word or two stays whole."""
        for first, owner in enumerate(owners):
            reach = owners[first + 1 : first + 2 + LARGEST_HOLE]
            if owner in reach:
                last = first + 1 + max(n for n, other in enumerate(reach) if other == owner)
                inside = range(first + 1, last)
                if all(self._is_outside(owners[n], owner) for n in inside):
                    for n in inside:
                        owners[n] = owner

    def _is_outside(self, run: int, of: int) -> bool:
        """Whether a run stands around the element of another."""
        chain, inner = self.content[run].chain, self.content[of].chain
        return len(chain) < len(inner) and inner[: len(chain)] == chain

    def _give_every_run_a_word(self, owners: list[int]) -> None:
        """The word that stands where it would stand if nothing changed its place; no run gives
        its last one."""
        text, starts = self.source.text, self.source.starts
        count = Counter(owners)
        spare = [n for n, owner in enumerate(owners) if count[owner] > 1]
        for run, start, end in zip(self.source.runs, starts, [*starts[1:], len(text)], strict=True):
            is_text = len(self.content[run].chain) > 0 and text[start:end].strip() != ""
            middle = (start + end - 1) / 2 / len(text) * len(owners)
            while spare and is_text and run not in count:
                n = spare.pop(_nearest(spare, middle))
                if count[owners[n]] > 1:
                    count[owners[n]] -= 1
                    owners[n] = run
                    count[run] = 1

    def _mark_places(self, owners: Sequence[int]) -> dict[int, list[Mark]]:
        """Marks by the word that they come before: the first of a run that follows them. A run
        that no word is left for stays as an empty element."""
        firsts: dict[int, int] = {}
        for place, owner in enumerate(owners):
            firsts.setdefault(owner, place)
        found: dict[int, list[Mark]] = {}
        place = len(owners)
        for n in reversed(range(len(self.content))):
            item = self.content[n]
            if isinstance(item, Mark):
                found.setdefault(place, []).append(item)
            elif item.chain and item.text.strip() and n not in firsts:
                found.setdefault(place, []).append(Mark("", item.chain))
            place = min(place, firsts.get(n, place))
        return {place: marks[::-1] for place, marks in found.items()}


def _nearest(places: Sequence[int], middle: float) -> int:
    """Which of these places, in their order, a word in the middle of something stands at."""
    at = bisect_left(places, middle - 0.5)
    if at == len(places):
        return at - 1
    if at and middle - 0.5 - places[at - 1] <= places[at] - (middle - 0.5):
        return at - 1
    return at

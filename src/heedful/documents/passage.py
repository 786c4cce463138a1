"""A document's text in passages, parts of which stand inside inline markup."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from heedful.planning import Translation
from heedful.text.links import Link

_WORD = re.compile(r"\S+")
_SPACE = re.compile(r"\s+")
LARGEST_HOLE = 2  # words between two of an element that it takes in


@dataclass(frozen=True, eq=False)
class Element:
    """What stands before and behind what is inside; two that look the same are still two."""

    before: str
    behind: str


Chain = tuple[Element, ...]
"""The inline elements that something stands in, the outermost first."""


@dataclass(frozen=True)
class Run:
    """Some text, all of it in the same elements."""

    text: str
    chain: Chain


@dataclass(frozen=True)
class Mark:
    """Something inside a passage that is no text: a picture, a note, a tab."""

    raw: str
    chain: Chain
    is_space: bool = False
    """Whether it parts two words."""


@dataclass(frozen=True)
class Passage:
    """What is translated as a whole; the white space around it stays where it is."""

    content: Sequence[Run | Mark]
    has_space_around: bool = True
    """Whether white space may stand around it, outside its elements."""

    @cached_property
    def _spaced(self) -> tuple[str, list[int]]:
        """The text with every white space as one space, and of each character its run."""
        text, owners = "", []
        for n, item in enumerate(self.content):
            if isinstance(item, Run):
                piece = _SPACE.sub(" ", item.text)
                if text.endswith(" ") or not text:
                    piece = piece.removeprefix(" ")
                text += piece
                owners += [n] * len(piece)
            elif item.is_space and text and not text.endswith(" "):
                text += " "
                owners.append(owners[-1])
        return text.rstrip(), owners

    @property
    def text(self) -> str:
        """To be translated."""
        return self._spaced[0]

    def rendered(self, translation: Translation) -> str:
        """The translation in this passage's markup."""
        before, behind = self._around() if self.has_space_around else ("", "")
        return before + _written(self._placed(translation.text, translation.links)) + behind

    def _around(self) -> tuple[str, str]:
        """The white space before and behind the text, as it was."""
        whole = "".join(item.text for item in self.content if isinstance(item, Run))
        kept = whole.strip()
        if not kept:
            return whole, ""
        start = whole.index(kept)
        return whole[:start], whole[start + len(kept) :]

    def _placed(self, translation: str, links: Sequence[Link]) -> list[tuple[Chain, str, bool]]:
        """What comes in which elements, and whether it is text."""
        words = list(_WORD.finditer(translation))
        if not words:
            return [(m.chain, m.raw, False) for m in self.content if isinstance(m, Mark)]
        owners = self._owners(words, len(translation), links)
        marks = self._mark_places(owners)
        found: list[tuple[Chain, str, bool]] = []
        end = 0
        for n, (word, owner) in enumerate(zip(words, owners, strict=True)):
            chain = self.content[owner].chain
            gap = translation[end : word.start()]
            before = marks.get(n, [])
            if gap and not any(mark.is_space for mark in before):
                found.append((_common(found[-1][0], chain), gap, True))
            found += [(mark.chain, mark.raw, False) for mark in before]
            found.append((chain, word[0], True))
            end = word.end()
        return found + [(mark.chain, mark.raw, False) for mark in marks.get(len(words), [])]

    def _owners(
        self, words: Sequence[re.Match[str]], length: int, links: Sequence[Link]
    ) -> list[int]:
        """Of each word of the translation, the run whose element it stands in."""
        text, of_character = self._spaced
        if not text:
            return [0] * len(words)
        linked = {n: link.source[0] for link in links for n in range(*link.target)}
        places = [
            linked.get(word.start(), word.start() * len(text) // max(1, length)) for word in words
        ]
        owners = [of_character[min(place, len(text) - 1)] for place in places]
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
        """The word that stands where it would stand if nothing changed its place."""
        text, of_character = self._spaced
        for run in dict.fromkeys(of_character[: len(text)]):
            mine = [n for n, owner in enumerate(of_character[: len(text)]) if owner == run]
            is_blank = not text[mine[0] : mine[-1] + 1].strip()
            if run in owners or is_blank or not self.content[run].chain:
                continue
            middle = (mine[0] + mine[-1]) / 2 / len(text) * len(owners)
            spare = [n for n, owner in enumerate(owners) if owners.count(owner) > 1]
            if spare:
                owners[min(spare, key=lambda n: abs(n + 0.5 - middle))] = run

    def _mark_places(self, owners: list[int]) -> dict[int, list[Mark]]:
        """Marks by the word that they come before: the first of the run that follows them. A run
        that no word is left for stays as an empty element."""
        found: dict[int, list[Mark]] = {}
        for n, item in enumerate(self.content):
            mark = item if isinstance(item, Mark) else Mark("", item.chain)
            is_lost = isinstance(item, Run) and item.text.strip() and n not in owners
            if isinstance(item, Mark) or (is_lost and item.chain):
                later = [place for place, owner in enumerate(owners) if owner > n]
                found.setdefault(min(later, default=len(owners)), []).append(mark)
        return found


@dataclass(frozen=True)
class Composed:
    """Passages, and between them what is copied."""

    parts: Sequence[str | Passage]

    @property
    def passages(self) -> list[str]:
        """To be translated."""
        return [part.text for part in self.parts if isinstance(part, Passage)]

    def rendered(self, translations: Sequence[Translation]) -> str:
        """All of it again, with these translations of the passages."""
        coming = iter(translations)
        return "".join(
            part if isinstance(part, str) else part.rendered(next(coming)) for part in self.parts
        )


def _common(one: Chain, other: Chain) -> Chain:
    n = 0
    while n < min(len(one), len(other)) and one[n] is other[n]:
        n += 1
    return one[:n]


def _written(placed: Sequence[tuple[Chain, str, bool]]) -> str:
    """Elements are opened and closed as what is in them comes and goes."""
    out: list[str] = []
    stack: Chain = ()
    for chain, content, is_text in placed:
        kept = _common(stack, chain)
        out += [element.behind for element in reversed(stack[len(kept) :])]
        out += [element.before for element in chain[len(kept) :]]
        out.append(html.escape(content, quote=False) if is_text else content)
        stack = chain
    return "".join(out) + "".join(element.behind for element in reversed(stack))

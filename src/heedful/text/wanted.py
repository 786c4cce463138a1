"""What must stand in a translation: terms of a glossary, and what is copied as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from heedful.text.links import Link, Span
from heedful.text.scripts import ALONE

# Placeholders of programs, addresses, tags, numbers. What stands inside another is not found.
_COPIED = re.compile(
    r"""
    \{\{[^{}\n]{1,60}\}\} | \$?\{[^{}\n]{1,60}\} |   # {{name}}, {name}, ${name}
    %\([A-Za-z_]\w*\)[sdifr] | %\d*\$?[sdif](?!\w) |  # %(name)s, %s, %1$s
    https?://[^\s<>"']*[^\s<>"'.,;:!?)\]] | www\.[^\s<>"']*[^\s<>"'.,;:!?)\]] |
    (?<![\w.+-])[\w.+-]{1,64}+@[\w-]{1,64}(?:\.[\w-]{1,64})+ |  # somebody@example.org
    </?[A-Za-z][^<>\n]{0,200}> |                      # <b>, </b>, <br/>
    (?<![\w.,])\d+(?:[.,:/-]\d+)*(?!\w)               # 7, 3.14, 12:30
    """,
    re.VERBOSE,
)
_CLOSES = re.compile(r"[.,;:!?)\]}»”%]")  # what no space stands before


@dataclass(frozen=True)
class Wanted:
    """A text that a translation must have, and where the source has what it stands for."""

    text: str
    source: Span


def copied(text: str) -> list[Wanted]:
    """What a translation has as its source has it, as often as it stands there."""
    return [Wanted(match[0], match.span()) for match in _COPIED.finditer(text)]


class Glossary:
    """Terms, and what they are to be called."""

    def __init__(self, terms: Mapping[str, str]) -> None:
        self._called = {term.lower(): called for term, called in terms.items()}
        self._lengths = sorted({len(term) for term in self._called}, reverse=True)

    def __bool__(self) -> bool:
        return bool(self._called)

    def in_text(self, text: str) -> list[Wanted]:
        """What the terms are called that stand in a text as words of their own, each once; the
        longer wins where two overlap. Looked up, place by place: a pattern made of what a stranger
        wrote could take for ever."""
        found: dict[str, Wanted] = {}
        small, end = text.lower(), 0
        if len(small) != len(text):  # a rare letter becomes two: places would be others
            small = text
        for start in range(len(small)) if self else ():
            if start < end or not _stands_alone(small, start, start):
                continue
            for length in self._lengths:
                term = small[start : start + length]
                if term in self._called and _stands_alone(small, start, start + len(term)):
                    end = start + len(term)
                    found.setdefault(term, Wanted(self._called[term], (start, end)))
                    break
        return list(found.values())


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no word begins before what stands there, or goes on behind it."""
    before, behind = text[max(0, start - 1) : start], text[end : end + 1]
    goes_on = end > start and _is_word(text[end - 1]) and _is_word(behind)
    return not goes_on and not (_is_word(before) and _is_word(text[start : start + 1]))


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def without_parts(wanted: Iterable[Wanted]) -> list[Wanted]:
    """Without what stands inside another in the source, as a term in an address does."""
    kept: list[Wanted] = []
    for want in sorted(wanted, key=lambda want: (want.source[0], -want.source[1])):
        if not kept or want.source[1] > kept[-1].source[1]:
            kept.append(want)
    return kept


def lacking(wanted: Sequence[Wanted], translation: str) -> list[Wanted]:
    """Those that do not stand there, or not as often. What is a part of a longer word or number
    does not count, in scripts in which a word stands by itself."""
    left = {text: _times(text, translation) for text in {want.text for want in wanted}}
    missing = []
    for want in wanted:
        left[want.text] -= 1
        if left[want.text] < 0:
            missing.append(want)
    return missing


def _times(text: str, translation: str) -> int:
    times, place = 0, translation.find(text)
    while place >= 0:
        end = place + len(text)
        before, behind = translation[max(0, place - 1) : place], translation[end : end + 1]
        is_part = (ALONE.match(text) and ALONE.match(before)) or (
            ALONE.match(text[-1]) and ALONE.match(behind)
        )
        times += not is_part
        place = translation.find(text, end)
    return times


def put_in(want: Wanted, translation: str, links: Sequence[Link]) -> tuple[str, list[Link]]:
    """The translation with what it lacks, and the links moved with their words. It takes the place
    of the word that looks at it most, which says the same in another way ("drei" for 3); where none
    does, it stands behind the word that comes from what is before it in the source; where nothing
    is known of any word, at the end."""
    start, end = want.source
    there = [link for link in links if link.source[0] < end and start < link.source[1]]
    before = [link for link in links if link.source[1] <= start]
    if there:
        best = max(there, key=lambda link: link.score)
        first, last = _core(translation, best.target)
        links = [link for link in links if link is not best]
    else:
        none = 0 if links else len(translation.rstrip(" .!?。"))
        first = last = max(before, key=lambda link: link.source[1]).target[1] if before else none
    left, right = translation[:first], translation[last:]
    text = want.text
    if first == last:  # nothing makes room: it needs spaces of its own
        left, right = left.rstrip(), right.lstrip()
        text = (left and " ") + text + (" " if right and not _CLOSES.match(right) else "")
    shift = len(left + text) - (len(translation) - len(right))
    moved = [link if link.target[0] < first else link.moved(0, shift) for link in links]
    return left + text + right, moved


def _core(text: str, word: Span) -> Span:
    """A word without the marks around it; only its beginning, if it has nothing else."""
    inside = [place for place in range(*word) if _is_word(text[place])]
    return (inside[0], inside[-1] + 1) if inside else (word[0], word[0])

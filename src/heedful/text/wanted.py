"""What must stand in a translation, and how it gets there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from heedful.text.links import Link, Span
from heedful.text.numbers import NUMBER
from heedful.text.scripts import ALONE

_CLOSES = re.compile(r"[.,;:!?)\]}»”%]")  # what no space stands before
_GOES_ON = re.compile(r"[.,:/]?[0-9]")  # of a number


class Joint(Enum):
    """How a text hangs together with more of its word in the source."""

    NONE = 0
    UNIT = 1
    """A number before what it counts, 5km: translations may write a word for each."""
    WORD = 2
    """Part of a compound, 5-year-old: translations may spell it as one word, "fünfjährig"."""


@dataclass(frozen=True)
class Wanted:
    """A text that a translation must have, and where the source has what it stands for."""

    text: str
    source: Span
    joint: Joint = Joint.NONE


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
    return len(_places(text, translation))


def _places(text: str, translation: str) -> list[Span]:
    """Where a text stands, not as a part of more."""
    found = []
    place = translation.find(text)
    while place >= 0:
        end = place + len(text)
        if not _is_part(text, translation[max(0, place - 2) : place], translation[end : end + 2]):
            found.append((place, end))
        place = translation.find(text, end)
    return found


def _is_part(text: str, before: str, behind: str) -> bool:
    """Whether a word or a number goes on; 5 is no part of 5km, %d none of %dpx."""
    if text[0] == "%":
        return False
    is_number = NUMBER.fullmatch(text) is not None
    begins_before = ALONE.match(text) and ALONE.match(before[-1:])
    in_number = is_number and text[0].isdigit() and _GOES_ON.fullmatch(before[::-1])
    goes_on = ALONE.match(text[-1]) and ALONE.match(behind) and not is_number
    return bool(begins_before or in_number or goes_on or (is_number and _GOES_ON.match(behind)))


def complete(
    wanted: Sequence[Wanted], translation: str, links: Sequence[Link]
) -> tuple[str, list[Link]]:
    """The translation with all that it lacks, and the links moved with their words."""
    links = list(links)
    texts = {want.text for want in wanted}
    for want in lacking(wanted, translation):
        there = [span for text in texts for span in _places(text, translation)]
        translation, links = _put_in(want, translation, links, there)
    return translation, links


def _put_in(
    want: Wanted, translation: str, links: list[Link], kept: Sequence[Span]
) -> tuple[str, list[Link]]:
    """It takes the place of the word that looks at it most, which says the same in another way
    ("drei" for 3), or of a number in it (8km for 5km), but not of what is to be kept; where there
    is none, it stands behind the word that comes from what is before it in the source; where
    nothing is known of any word, at the end."""
    looking = [
        link
        for link in links
        if _overlap(link.source, want.source)
        and not any(_overlap(link.target, span) for span in kept)
    ]
    place = _place_of(want, translation, looking)
    if place is None and want.joint is Joint.WORD:
        return translation, links  # it is spelt in another word
    if place is None and looking:
        first = min(link.target[0] for link in looking)
        place = first, first
    if place is None:
        before = [link for link in links if link.source[1] <= want.source[0]]
        none = 0 if links else len(translation.rstrip(" .!?。"))
        first = max(before, key=lambda link: link.source[1]).target[1] if before else none
        place = first, first
    return _replaced(want.text, translation, place, links)


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _place_of(want: Wanted, translation: str, looking: Sequence[Link]) -> Span | None:
    """Of what says the same in another way, if it may be taken away."""
    by_score = sorted(looking, key=lambda link: -link.score)
    if NUMBER.fullmatch(want.text):
        for link in by_score:
            if number := NUMBER.search(translation, *link.target):
                return number.span()
    match want.joint:
        case Joint.NONE:
            return _core(translation, by_score[0].target) if by_score else None
        case Joint.UNIT if len(looking) > 1:  # "fünf Kilometer"
            return _core(translation, min(link.target for link in looking))
    return None


def _replaced(
    text: str, translation: str, place: Span, links: Sequence[Link]
) -> tuple[str, list[Link]]:
    first, last = place
    left, right = translation[:first], translation[last:]
    if first == last:  # nothing makes room: it needs spaces of its own
        left, right = left.rstrip(), right.lstrip()
        text = (left and " ") + text + (" " if right and not _CLOSES.match(right) else "")
    shift = len(left + text) - (len(translation) - len(right))
    moved = [
        link if link.target[0] < first else link.moved(0, shift)
        for link in links
        if first == last or not _overlap(link.target, place)
    ]
    return left + text + right, moved


def _core(text: str, word: Span) -> Span:
    """A word without the marks around it; only its beginning, if it has nothing else."""
    inside = [place for place in range(*word) if text[place].isalnum() or text[place] == "_"]
    return (inside[0], inside[-1] + 1) if inside else (word[0], word[0])

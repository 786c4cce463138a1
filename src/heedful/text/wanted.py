"""What must stand in a translation, and whether it does."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from heedful.text.edits import TAG, pairs
from heedful.text.links import Link, Span
from heedful.text.numbers import NUMBER, lost_signs, numbers_in, parts_of, plain, signs
from heedful.text.scripts import ALONE

_NEAR = 40  # characters of a word that are looked at, before and behind what is wanted
CLOSING: Final = " \"'”’“‘»«)]"
"""What may stand behind the end of a sentence."""


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
    before: str = ""
    """What is written onto it in the source, without a space."""
    behind: str = ""
    signs: tuple[str, str] = ("", "")
    """Of a number, those before and behind it."""
    words: int = 1
    """Of what it stands for."""
    may_begin: bool = False
    """Whether it may have a capital letter where the translation begins."""
    is_end: bool = False
    """Whether the source ends with it, without another mark."""

    @classmethod
    def of(cls, called: str, text: str, source: Span, joint: Joint = Joint.NONE) -> Wanted:
        """What something in a text is to be called."""
        start, end = source
        before = text[max(0, start - _NEAR) : start]
        behind = text[end : end + _NEAR]
        is_end = not behind.strip(CLOSING)
        around = signs(before, behind)
        before = before.split()[-1] if before and not before[-1].isspace() else ""
        behind = behind.split()[0] if behind and not behind[0].isspace() else ""
        words = len(text[start:end].split())
        return cls(called, source, joint, before, behind, around, words, is_end=is_end)

    @property
    def is_tag(self) -> bool:
        """Whether it says nothing itself."""
        return TAG.fullmatch(self.text) is not None

    @property
    def is_number(self) -> bool:
        """Whether it counts however its digits are separated."""
        return NUMBER.fullmatch(self.text) is not None or bool(parts_of(self.text))

    @property
    def has_sign(self) -> bool:
        """Whether it is a number, or stands for one, with a sign in the source: 20%, $5, {n}%."""
        return any(self.signs) and (self.is_number or self.text.endswith("}"))


def without_parts(wanted: Iterable[Wanted]) -> list[Wanted]:
    """Without what stands inside another in the source, as a term in an address does."""
    kept: list[Wanted] = []
    for want in sorted(wanted, key=lambda want: (want.source[0], -want.source[1])):
        if not kept or want.source[1] > kept[-1].source[1]:
            kept.append(want)
    return kept


def lacking(wanted: Sequence[Wanted], translation: str) -> list[Wanted]:
    """Those that do not stand there, or not as often. What is a part of a longer word or number
    does not count, in scripts in which a word stands by itself; a number counts whatever separates
    its digits, but not with letters written onto it (2n for 2), unless the source has some too, and
    not without its sign."""
    places = places_of(wanted, translation)
    for key in _alone(wanted):
        places[key] = [span for span in places[key] if not ALONE.match(translation, span[1])]
    found = standing(wanted, places)
    return [
        want
        for want, span in zip(wanted, found, strict=True)
        if span is None or _lost_its_sign(want, translation, span)
    ]


def _lost_its_sign(want: Wanted, translation: str, span: Span) -> bool:
    return want.has_sign and any(lost_signs(want.signs, translation, span))


def _alone(wanted: Sequence[Wanted]) -> set[str]:
    """The numbers that no word is written onto in the source."""
    numbers = [want for want in wanted if want.is_number]
    joined = {_key(want.text) for want in numbers if want.joint is not Joint.NONE}
    return {_key(want.text) for want in numbers} - joined


def standing(
    wanted: Sequence[Wanted], places: Mapping[str, Sequence[Span]], links: Sequence[Link] = ()
) -> list[Span | None]:
    """Where each stands, if it does. Tags that close all look the same: each stands where it closes
    the one that it closes in the source, wherever that went."""
    meant = _meant(wanted, places, links)
    found = _in_order(wanted, places, meant)
    ends = _ends(places)
    closed = {}
    for first, last in pairs(want.text for want in wanted).items():
        text, span = ends.get(found[first], ("", None))
        if span and text == wanted[last].text:
            closed[last] = span
    return _in_order(wanted, places, {**meant, **closed}) if closed else found


def _meant(
    wanted: Sequence[Wanted], places: Mapping[str, Sequence[Span]], links: Sequence[Link]
) -> dict[int, Span]:
    """Of what does not stand there as often as it is wanted, which ones do: those that the words
    look at."""
    alike: dict[str, list[int]] = {}
    for n, want in enumerate(wanted):
        if not want.is_tag:
            alike.setdefault(_key(want.text), []).append(n)
    words = sorted(links, key=lambda link: link.target)
    ends = [link.target[1] for link in words]
    found: dict[int, Span] = {}
    for key, numbers in alike.items():
        if not words or len(places[key]) >= len(numbers):
            continue
        sources = [wanted[n].source[1] for n in numbers]
        for span in places[key]:
            looked_at = words[min(bisect_left(ends, span[1]), len(words) - 1)].source
            at = bisect_right(sources, looked_at[0])
            if at < len(numbers) and wanted[numbers[at]].source[0] < looked_at[1]:
                found.setdefault(numbers[at], span)
    return found


def _in_order(
    wanted: Sequence[Wanted], places: Mapping[str, Sequence[Span]], given: Mapping[int, Span]
) -> list[Span | None]:
    """Where each stands: those that are given there, the others at the first place that is left."""
    taken = set(given.values())
    coming = {
        key: iter([span for span in spans if span not in taken]) for key, spans in places.items()
    }
    return [given.get(n) or next(coming[_key(want.text)], None) for n, want in enumerate(wanted)]


def _ends(places: Mapping[str, Sequence[Span]]) -> dict[Span | None, tuple[str, Span]]:
    """Of the tags that stand there and are closed there, what closes them, and where."""
    tags = sorted((span, text) for text, spans in places.items() for span in spans)
    found = pairs(text for _, text in tags)
    return {tags[first][0]: (tags[last][1], tags[last][0]) for first, last in found.items()}


def _key(text: str) -> str:
    return plain(text) if NUMBER.fullmatch(text) or parts_of(text) else text


def places_of(wanted: Sequence[Wanted], translation: str) -> dict[str, list[Span]]:
    """Where each text stands, numbers whatever separates their digits."""
    texts = {want.text for want in wanted}
    may_begin = {want.text for want in wanted if want.may_begin}
    numbers = numbers_in(translation) if texts else {}
    found = {}
    for text in texts:
        key = _key(text)
        if NUMBER.fullmatch(text) or parts_of(text):
            found[key] = numbers.get(key) or _in_parts(parts_of(text), numbers)
        else:
            first = _beginning(text, translation) if text in may_begin else ()
            found[key] = [*first, *spans_of(text, translation)]
    return found


def _in_parts(parts: Sequence[str], numbers: Mapping[str, list[Span]]) -> list[Span]:
    """Where the last of them stands, as often as all do: they were several numbers then."""
    often = min((len(numbers.get(plain(part), ())) for part in parts), default=0)
    return numbers[plain(parts[-1])][-often:] if often else []


def _beginning(text: str, translation: str) -> Iterator[Span]:
    """Where it stands with a capital letter, as the first that is said."""
    start = next((place for place, letter in enumerate(translation) if letter.isalnum()), 0)
    capital = text[:1].upper() + text[1:]
    if capital != text and translation.startswith(capital, start):
        end = start + len(capital)
        if not _is_part(capital, "", translation[end : end + 1]):
            yield start, end


def spans_of(text: str, translation: str) -> Iterator[Span]:
    """Where it stands, not as a part of more."""
    place = translation.find(text)
    while place >= 0:
        end = place + len(text)
        if not _is_part(text, translation[max(0, place - 1) : place], translation[end : end + 1]):
            yield place, end
        place = translation.find(text, end)


def _is_part(text: str, before: str, behind: str) -> bool:
    """Whether a word goes on; %d is no part of %dpx."""
    if text[0] == "%":
        return False
    begins_before = ALONE.match(text) and ALONE.match(before)
    return bool(begins_before or (ALONE.match(text[-1]) and ALONE.match(behind)))

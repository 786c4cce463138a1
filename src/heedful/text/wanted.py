"""What must stand in a translation, and how it gets there."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from heedful.text.edits import Edit, edited, in_pairs, outside, pairs
from heedful.text.links import Link, Span
from heedful.text.looking import Looking
from heedful.text.numbers import NUMBER, numbers_in, plain
from heedful.text.scripts import ALONE

_NEAR = 40  # characters of a word that are looked at, before and behind what is wanted


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

    @classmethod
    def of(cls, called: str, text: str, source: Span, joint: Joint = Joint.NONE) -> Wanted:
        """What something in a text is to be called."""
        start, end = source
        before = text[max(0, start - _NEAR) : start]
        behind = text[end : end + _NEAR]
        before = before.split()[-1] if before and not before[-1].isspace() else ""
        behind = behind.split()[0] if behind and not behind[0].isspace() else ""
        return cls(called, source, joint, before, behind)

    @property
    def is_tag(self) -> bool:
        """Whether it says nothing itself."""
        return self.text.startswith("<")


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
    its digits."""
    found = _standing(wanted, _places(wanted, translation))
    return [want for want, span in zip(wanted, found, strict=True) if span is None]


def _standing(wanted: Sequence[Wanted], places: Mapping[str, Sequence[Span]]) -> list[Span | None]:
    """Where each stands, if it does. Tags that close all look the same: each stands where it closes
    the one that it closes in the source, wherever that went."""
    found = _in_order(wanted, places, {})
    ends = _ends(places)
    closed = {}
    for first, last in pairs(want.text for want in wanted).items():
        text, span = ends.get(found[first], ("", None))
        if span and text == wanted[last].text:
            closed[last] = span
    return _in_order(wanted, places, closed) if closed else found


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
    return plain(text) if NUMBER.fullmatch(text) else text


def _places(wanted: Sequence[Wanted], translation: str) -> dict[str, list[Span]]:
    """Where each text stands, not as a part of more."""
    texts = {want.text for want in wanted}
    numbers = numbers_in(translation) if texts else {}
    found = {}
    for text in texts:
        key = _key(text)
        found[key] = numbers.get(key, []) if NUMBER.fullmatch(text) else _found(text, translation)
    return found


def _found(text: str, translation: str) -> list[Span]:
    found = []
    place = translation.find(text)
    while place >= 0:
        end = place + len(text)
        if not _is_part(text, translation[max(0, place - 1) : place], translation[end : end + 1]):
            found.append((place, end))
        place = translation.find(text, end)
    return found


def _is_part(text: str, before: str, behind: str) -> bool:
    """Whether a word goes on; %d is no part of %dpx."""
    if text[0] == "%":
        return False
    begins_before = ALONE.match(text) and ALONE.match(before)
    return bool(begins_before or (ALONE.match(text[-1]) and ALONE.match(behind)))


def complete(
    wanted: Sequence[Wanted], translation: str, links: Sequence[Link]
) -> tuple[str, list[Link]]:
    """The translation with all that it lacks, its tags in order, and the links moved with their
    words."""
    places = _places(wanted, translation)
    standing = _standing(wanted, places)
    if None not in standing and not any(want.is_tag for want in wanted):
        return translation, list(links)
    room = _Room(wanted, translation, links)
    for spans in places.values():
        for span in spans:
            room.keep(span)
    edits = [
        Edit(translation[slice(*span)], span) if span else room.edit(want)
        for want, span in zip(wanted, standing, strict=True)
    ]
    paired = in_pairs([edit for edit in edits if edit])
    placed = outside(paired, [span for span in standing if span])
    changes = [edit for edit in placed if edit.text != translation[slice(*edit.place)]]
    return edited(translation, changes, links)


class _Room:
    """Where in a translation there is room for what it lacks. All is looked up, and what is taken
    is laid aside: a text full of numbers takes time in proportion to its length."""

    def __init__(self, wanted: Sequence[Wanted], translation: str, links: Sequence[Link]) -> None:
        self._text = translation
        self._links = sorted(links, key=lambda link: (link.source, link.target))
        self._starts = [link.source[0] for link in self._links]
        self._ends = [link.source[1] for link in self._links]
        self._kept = bytearray(len(translation))
        self._wanted = {place for want in wanted for place in range(*want.source)}
        self._looking: dict[Span, Looking] = {}

    def keep(self, span: Span) -> None:
        """What stands there."""
        self._kept[slice(*span)] = b"\1" * (span[1] - span[0])

    def _is_kept(self, link: Link) -> bool:
        return self._kept.find(1, *link.target) >= 0

    def edit(self, want: Wanted) -> Edit | None:
        """It takes the place of the word that looks at it most, which says the same in another way
        ("drei" for 3), or of a number in it (8km for 5km), but not of what is to be kept, and not
        of a word that says more (`<b>the`): it is written onto that. Where there is none, it
        stands behind the word that comes from what is before it in the source; where nothing is
        known of any word, at the end."""
        first = bisect_right(self._ends, want.source[0])
        last = max(first, bisect_left(self._starts, want.source[1]))
        some = self._looking.get((first, last))
        if some is None:
            some = self._looking[first, last] = Looking(self._text, self._links[first:last])
        some.drop(self._is_kept)
        if some.numbers and NUMBER.fullmatch(want.text):
            return self._instead(want, some.numbers[-1][1])
        if want.joint is Joint.WORD:
            return None  # it is spelt in another word
        if first < last and (is_behind := self._is_behind(want, some)) is not None:
            return self._beside(want, some, is_behind)
        if (word := self._same(want, some)) is not None:
            return self._instead(want, _core(self._text, word))
        if some.in_order:
            at = some.in_order[-1].target[0]
        elif first:
            at = self._links[first - 1].target[1]
        else:
            at = 0 if self._links else len(self._text.rstrip(" .!?。"))
        return Edit(want.text, (at, at))

    def _same(self, want: Wanted, some: Looking) -> Span | None:
        """The word that says the same in another way, or what is left of a tag (b of <b>)."""
        if not some.by_score:
            return None
        if want.joint is Joint.UNIT:  # "fünf Kilometer"
            return some.in_order[-1].target if some.are_several else None
        word = some.by_score[-1].target
        is_left = self._text[slice(*_core(self._text, word))].lower() in want.text.lower()
        return word if is_left or not want.is_tag else None

    def _instead(self, want: Wanted, place: Span) -> Edit:
        self.keep(place)
        return Edit(want.text, place)

    def _is_behind(self, want: Wanted, some: Looking) -> bool | None:
        """On which side of its word it stood in the source, if the word says more."""
        start, end = want.source
        before, behind = want.before, want.behind
        if not want.is_tag:  # a link may be of less: a piece, where there are no spaces
            before = before[max(0, len(before) - max(0, start - some.source[0])) :]
            behind = behind[: max(0, some.source[1] - end)]
        said_before = self._says(before, start - len(before), want)
        said_behind = self._says(behind, end, want) and want.joint is Joint.NONE
        if said_before or said_behind:
            opens = want.is_tag and not want.text.startswith("</")
            return not said_behind if opens else said_before
        return bool(before) if (before or behind) and not some.in_order else None

    def _says(self, rest: str, start: int, want: Wanted) -> bool:
        """Whether there are words in it, besides what is wanted itself."""
        return any(
            letter.isalnum() and (want.is_tag or place not in self._wanted)
            for place, letter in enumerate(rest, start)
        )

    def _beside(self, want: Wanted, some: Looking, is_behind: bool) -> Edit:
        """As it stood in the source, marks included; apart, if it would run into the word."""
        text, word = want.text, some.last if is_behind else some.first
        start, end = _core(self._text, word)
        if is_behind:
            if want.behind and self._text.endswith(want.behind, *word):
                at = word[1] - len(want.behind)
            else:
                at = end if want.before[-1:].isalnum() and end > start else word[1]
            runs_in = text[0].isalnum() or not want.before[-1:].isalnum()
            apart = runs_in and self._text[at - 1 : at].isalnum() and not want.is_tag
            return Edit(" " * apart + text, (at, at), word)
        if want.before and self._text.startswith(want.before, *word):
            at = word[0] + len(want.before)
        else:
            at = start if want.behind[:1].isalnum() else word[0]
        runs_in = text[-1].isalnum() or not want.behind[:1].isalnum()
        apart = runs_in and self._text[at : at + 1].isalnum() and not want.is_tag
        return Edit(text + " " * apart, (at, at), word)


def _core(text: str, word: Span) -> Span:
    """A word without the marks around it; only its beginning, if it has nothing else."""
    inside = [place for place in range(*word) if text[place].isalnum() or text[place] == "_"]
    return (inside[0], inside[-1] + 1) if inside else (word[0], word[0])

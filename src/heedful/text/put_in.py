"""How what a translation lacks gets into it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from heedful.text.edits import Edit, edited, in_pairs, outside
from heedful.text.links import Link, Span
from heedful.text.looking import Looking
from heedful.text.numbers import lost_signs, signs
from heedful.text.scripts import STANDS_ALONE
from heedful.text.seams import with_one_end, without_doubles
from heedful.text.sentences import SENTENCE_ENDS
from heedful.text.wanted import Joint, Wanted, places_of, spans_of, standing

# The share of what a word looks at that makes it a part of a term: while there are no more words
# than the term has in the source, and beyond. Half of what an article looks at is its noun.
_MOSTLY, _HARDLY_ELSEWHERE = 0.5, 0.75
_FIRMLY = 0.5  # how much a word looks at a number that it stands for: an article does so a little
_NEARLY = 0.2  # what a noun may look less at a term than its article does
_ENDING = 3  # letters of an ending
_LETTERS = re.compile(rf"(?:(?![0-9])[{STANDS_ALONE}])+")
_SHORT = 4  # letters of a term that are too few to know it by, if it has an ending


def complete(
    wanted: Sequence[Wanted], translation: str, links: Sequence[Link]
) -> tuple[str, list[Link]]:
    """The translation with all that it lacks, its tags in order, and the links moved with their
    words."""
    if not wanted:
        return translation, list(links)
    return with_one_end(wanted, *_completed(wanted, translation, links))


def _completed(
    wanted: Sequence[Wanted], translation: str, links: Sequence[Link]
) -> tuple[str, list[Link]]:
    places = places_of(wanted, translation)
    found = standing(wanted, places, links)
    if None not in found and not any(want.is_tag or _has_sign(want) for want in wanted):
        return translation, list(links)
    room = _Room(wanted, translation, links)
    for spans in places.values():
        for span in spans:
            room.keep(span)
    edits = [
        room.standing(want, span) if span else room.edit(want)
        for want, span in zip(wanted, found, strict=True)
    ]
    paired = in_pairs([edit for edit in edits if edit])
    placed = outside(paired, [edit.place for edit in paired])
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
        self._words = sorted(links, key=lambda link: link.target)
        self._kept = bytearray(len(translation))
        self._wanted = {place for want in wanted for place in range(*want.source)}
        self._said = sorted(want.source for want in wanted if not want.is_tag)
        self._looking: dict[Span, Looking] = {}
        self._replaced: dict[str, Iterator[Span]] = {}
        """Where the words stand that what is wanted took the place of."""
        self._ended: dict[str, Iterator[Span]] = {}
        """Where what is wanted stands with an ending."""

    def keep(self, span: Span) -> None:
        """What stands there."""
        self._kept[slice(*span)] = b"\1" * (span[1] - span[0])

    def _is_kept(self, span: Span) -> bool:
        """Or a part of it."""
        return self._kept.find(1, *span) >= 0

    def standing(self, want: Wanted, span: Span) -> Edit:
        """What stands there stays; a number gets the sign that it has lost, unless a word behind it
        comes from it too, and so may say it."""
        edit = Edit(self._text[slice(*span)], span)
        if not (_has_sign(want) and self._links):
            return edit
        _, some = self._looking_at(want)
        n = bisect_left(self._words, span[1], key=lambda link: link.target[0])
        if self._more(some, n, start=span[1]):
            return edit
        return replace(edit, text=self._signed(want, edit))

    def edit(self, want: Wanted) -> Edit | None:
        """With what it stands for."""
        first, some = self._looking_at(want)
        some.drop(self._is_kept)
        score = some.by_score[-1].score if some.by_score else 0.0
        edit = self._edit(want, some, first)
        if edit is None or want.is_tag:
            return edit
        text = self._signed(want, edit) if want.is_number else edit.text
        return replace(edit, text=text, source=want.source, score=score)

    def _looking_at(self, want: Wanted) -> tuple[int, Looking]:
        """The words that look at it, and the number of their first link."""
        first = bisect_right(self._ends, want.source[0])
        last = max(first, bisect_left(self._starts, want.source[1]))
        some = self._looking.get((first, last))
        if some is None:
            some = self._looking[first, last] = Looking(self._text, self._links[first:last])
        return first, some

    def _signed(self, want: Wanted, edit: Edit) -> str:
        """A number with its signs (20%, $5), unless they stand there, or a word for them does
        ("Prozent"), or letters go on."""
        start, end = edit.place
        left, right = self._text[max(0, start - 1) : start], self._text[end : end + 1]
        runs_in = left.isalnum() and not edit.text.startswith(" ")
        goes_on = right.isalnum() and not edit.text.endswith(" ")
        if not edit.is_between and (runs_in or goes_on):
            return edit.text
        before, behind = lost_signs(want.before, want.behind, self._text, edit.place)
        number = want.text if want.text in edit.text else edit.text  # 10.000 for 10,000
        return edit.text.replace(number, f"{before}{number}{behind}", 1)

    def _edit(self, want: Wanted, some: Looking, first: int) -> Edit | None:
        """The number of a list's item begins the translation. All else takes the place of the word
        that looks at it most, which says the same in another way ("drei" for 3), and of those
        beside it that do too, or of a number in it (8km for 5km), but not of what is to be kept,
        and not of a word that says more (`<b>the`): it is written onto that. A number that no word
        looks at firmly stands before what it counts. Where there is none,
        it stands where the word comes again that it took the place of before, or where it has an
        ending, or behind the word that comes from what is before it in the source; where nothing
        is known of any word, at the end."""
        if some.numbers and want.is_number:
            return self._instead_of_number(want, some)
        if want.source[0] == 0 and want.behind == "." and want.is_number:
            return self._instead(replace(want, text=f"{want.text}."), (0, 0))
        if want.joint is Joint.WORD:
            return None  # it is spelt in another word
        if some.are_any and (is_behind := self._is_behind(want, some)) is not None:
            return self._beside(want, some, is_behind)
        if (at := self._counted(want, some)) is not None:
            return self._instead(want, (at, at))
        if (word := self._same(want, some)) is not None:
            return self._instead(want, word)
        if some.in_order:
            at = some.in_order[-1].target[0]
        elif not want.is_tag and (place := self._again(want)):
            return self._instead(want, place)
        elif first:
            at = self._links[first - 1].target[1]
        else:
            at = 0 if self._links else len(self._text)
        at = at if want.is_tag else min(at, len(self._text.rstrip(f" {SENTENCE_ENDS}")))
        return self._instead(want, (at, at))

    def _instead_of_number(self, want: Wanted, some: Looking) -> Edit:
        """Of all its digits, though a link may be of some, and of those that go on behind it; not
        onto a word that it does not stand at in the source (`links2024`)."""
        start, end = some.numbers[-1][1]
        while self._is_digit(start - 1):
            start -= 1
        while self._is_digit(end):
            end += 1
        n = bisect_left(self._words, end, key=lambda link: link.target[0])
        while more := self._more(some, n, start=end):
            word = _core(self._text, more.target)
            if not self._text[slice(*word)].isdecimal():
                break
            n, end = n + 1, word[1]
        letters = self._run_on(want, end)
        if len(letters) <= _ENDING and not self._is_kept((end, end + len(letters))):
            letters, end = "", end + len(letters)
        edit = self._instead(want, (start, end))
        before = self._text[max(0, edit.place[0] - 1) : edit.place[0]]
        runs_in = _LETTERS.match(before) is not None and not want.before[-1:].isalnum()
        return replace(edit, text=" " * runs_in + edit.text + " " * (letters != ""))

    def _run_on(self, want: Wanted, end: int) -> str:
        """Letters that go on there, though in the source none do, and no date, time, price or share
        has an ending. (A number may, or a unit: 20er, 5.5km.)"""
        has_none = any(mark in want.text[1:] for mark in "-:/") or _has_sign(want)
        found = _LETTERS.match(self._text, end)
        return found[0] if found and has_none and not want.behind[:1].isalpha() else ""

    def _is_digit(self, place: int) -> bool:
        """Which is free."""
        is_inside = 0 <= place < len(self._text)
        return is_inside and self._text[place].isdecimal() and not self._kept[place]

    def _counted(self, want: Wanted, some: Looking) -> int | None:
        """Where the word begins that comes from what a number counts, unless a word looks at the
        number firmly, or the one that does so most stands right before it ("drei Hunde")."""
        if not want.is_number or want.joint is not Joint.NONE or not some.by_score:
            return None
        best, n = some.by_score[-1], bisect_left(self._starts, want.source[1])
        if best.score >= _FIRMLY or self._starts[n : n + 1] != [want.source[1] + 1]:
            return None
        last = bisect_right(self._starts, self._starts[n])
        words = [link.target for link in self._links[n:last] if not self._is_kept(link.target)]
        if not words or any(self._text[best.target[1] : word[0]].isspace() for word in words):
            return None
        return _core(self._text, min(words))[0]

    def _same(self, want: Wanted, some: Looking) -> Span | None:
        """What says the same in another way, or what is left of a tag (b of <b>)."""
        if not some.by_score:
            return None
        if want.joint is Joint.UNIT:  # "fünf Kilometer"
            return _core(self._text, some.in_order[-1].target) if some.are_several else None
        best = some.by_score[-1]
        word = _core(self._text, best.target)
        if want.is_tag:
            return word if self._text[slice(*word)].lower() in want.text.lower() else None
        if self._is_shared(some.source):
            return word
        return self._stretch(best if want.is_number else self._noun(best, some), some, want.words)

    def _noun(self, best: Link, some: Looking) -> Link:
        """The last of the words from there on that look there nearly as much: an article may do so
        more than its noun."""
        least = best.score - _NEARLY
        n = bisect_left(self._words, best.target, key=lambda link: link.target)
        noun, end = best, _core(self._text, best.target)[1]
        while (more := self._more(some, n + 1, start=end)) and more.score >= least:
            n, noun, end = n + 1, more, _core(self._text, more.target)[1]
        return noun

    def _is_shared(self, source: Span) -> bool:
        """Whether there is more than one thing in it that is wanted."""
        starts = bisect_left(self._said, (source[1],))
        return starts > 1 and self._said[starts - 2][1] > source[0]

    def _stretch(self, best: Link, some: Looking, words: int) -> Span:
        """A word, and those beside it that mostly look there too, the one that does so more first;
        `words` stand for it in the source."""
        start, end = _core(self._text, best.target)
        last = bisect_right(self._words, best.target, key=lambda link: link.target)
        first, taken = last - 2, 1
        while True:
            before = self._more(some, first, end=start)
            behind = self._more(some, last, start=end)
            more = max(before, behind, key=lambda link: link.score if link else 0.0)
            least = _MOSTLY if taken < words else _HARDLY_ELSEWHERE
            if more is None or more.score <= least:
                return start, end
            word = _core(self._text, more.target)
            start, end = min(start, word[0]), max(end, word[1])
            first, last = first - (more is before), last + (more is behind)
            taken += 1

    def _more(self, some: Looking, n: int, start: int = -1, end: int = -1) -> Link | None:
        """A word that looks there, with nothing but space up to its neighbour."""
        if not 0 <= n < len(self._words):
            return None
        link = self._words[n]
        word = _core(self._text, link.target)
        gap = self._text[word[1] : end] if end >= 0 else self._text[start : word[0]]
        looks = some.source[0] <= link.source[0] and link.source[1] <= some.source[1]
        return link if looks and not gap.strip() and not self._is_kept(link.target) else None

    def _instead(self, want: Wanted, place: Span) -> Edit:
        text, wider = without_doubles(want.text, self._text, place)
        if self._is_kept(wider):
            text, wider = want.text, place
        self.keep(wider)
        if place[0] < place[1] and want.text not in self._replaced:
            self._replaced[want.text] = spans_of(self._text[slice(*place)], self._text)
        return Edit(text, wider)

    def _again(self, want: Wanted) -> Span | None:
        """Where what it took the place of stands once more, or it stands with an ending."""
        if want.text not in self._ended:
            self._ended[want.text] = _with_endings(want.text, self._text)
        places = chain(self._replaced.get(want.text, ()), self._ended[want.text])
        return next((span for span in places if not self._is_kept(span)), None)

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


def _has_sign(want: Wanted) -> bool:
    return want.is_number and any(signs(want.before, want.behind))


def _with_endings(term: str, text: str) -> Iterator[Span]:
    """Where it stands, bent: a short one would be found in other words (EU in EURO)."""
    if len(term) < _SHORT:
        return
    for match in re.finditer(rf"(?<!\w){re.escape(term)}([^\W\d_]{{1,3}})(?!\w)", text):
        if match[1].islower():
            yield match.span()


def _core(text: str, word: Span) -> Span:
    """A word without the marks around it; only its beginning, if it has nothing else."""
    inside = [place for place in range(*word) if text[place].isalnum() or text[place] == "_"]
    return (inside[0], inside[-1] + 1) if inside else (word[0], word[0])

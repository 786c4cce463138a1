"""How numbers get into a translation, and the signs that they have lost there."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from heedful.text.edits import Edit
from heedful.text.links import Link, Span
from heedful.text.looking import Looking
from heedful.text.numbers import is_date_or_time, lost_signs
from heedful.text.room import Room, core
from heedful.text.scripts import STANDS_ALONE
from heedful.text.wanted import Joint, Wanted

_FIRMLY = 0.5  # how much a word looks at a number that it stands for: an article does so a little
_SURELY = 0.8  # how much a word looks at what it is the translation of, without a doubt
_ENDING = 3  # letters of an ending
_LETTERS = re.compile(rf"(?:(?![0-9])[{STANDS_ALONE}])+")
_UNIT = re.compile(
    r"""[kcdmµμn]?m | [kmµμ]?g | [cdmh]?l | h | min | ms | [kMG]?(?:W|Wh|Hz|V|A) | [kKMGT]i?B
    | px | ft | lb | oz""",
    re.VERBOSE,
)
_DIGITS = r"[0-9] (?> (?: [0-9] | [.,:/-](?=[0-9]) )* )"
_END = rf"(?: (?![0-9])[{STANDS_ALONE}] ){{1,{_ENDING}}}"
_MADE_UP = re.compile(
    rf"{_DIGITS} (?: {_END} (?> (?: [0-9]++ {_END} )* ) [0-9]*+ (?![{STANDS_ALONE}]) )?", re.VERBOSE
)
"""With all their endings: 10er, 200er0."""
_NO_WORD = re.compile(r"(?![1-9]0+(?![0-9]))[0-9]{3,}+(?![.,:/-][0-9])")
"""What no word for a number becomes: those are short (two), or round (a hundred)."""


def with_lost_sign(room: Room, want: Wanted, span: Span) -> Edit:
    """What stands there stays; a number gets the sign that it has lost, unless a word behind it
    looks at it firmly too, and so may say it."""
    edit = Edit(room.text[slice(*span)], span)
    if not (want.has_sign and room.links):
        return edit
    if (end := _behind_endings(room, want, span[1])) > span[1]:  # 50er
        edit = replace(edit, place=(span[0], end))
    _, some = room.looking_at(want)
    more = room.word_behind(span[1], room.from_place(span[1]), some)
    if more and more.score >= _FIRMLY and not room.text[slice(*more.target)].isdecimal():
        return edit
    return replace(edit, text=signed(room, want, edit))


def signed(room: Room, want: Wanted, edit: Edit) -> str:
    """A number with its signs (20%, $5), unless they stand there, or a word for them does
    ("Prozent"), or letters go on."""
    start, end = edit.place
    left, right = room.text[max(0, start - 1) : start], room.text[end : end + 1]
    runs_in = left.isalnum() and not edit.text.startswith(" ")
    goes_on = right.isalnum() and not edit.text.endswith(" ")
    if not edit.is_between and (runs_in or goes_on):
        return edit.text
    before, behind = lost_signs(want.signs, room.text, edit.place)
    number = want.text if want.text in edit.text else edit.text  # 10.000 for 10,000
    return edit.text.replace(number, f"{before}{number}{behind}", 1)


def instead_of_number(room: Room, want: Wanted, some: Looking) -> Edit:
    """Of all its digits, though a link may be of some, and of those that go on behind it; not
    onto a word that it does not stand at in the source (`links2024`)."""
    start, end = _all_digits(room, some.numbers[-1][1])
    n = room.from_place(end)
    while more := room.word_behind(end, n, some):
        word = core(room.text, more.target)
        if not room.text[slice(*word)].isdecimal():
            break
        n, (_, end) = n + 1, _all_digits(room, word)
    end = _behind_endings(room, want, end)
    edit = room.instead(want, (start, end))
    before = room.text[max(0, edit.place[0] - 1) : edit.place[0]]
    runs_in = _LETTERS.match(before) is not None and not want.before[-1:].isalnum()
    goes_on = _run_on(room, want, end) != ""
    return replace(edit, text=" " * runs_in + edit.text + " " * goes_on)


def _all_digits(room: Room, span: Span) -> Span:
    start, end = span
    while _is_free_digit(room, start - 1):
        start -= 1
    while _is_free_digit(room, end):
        end += 1
    return start, end


def _is_free_digit(room: Room, place: int) -> bool:
    is_inside = 0 <= place < len(room.text)
    return is_inside and room.text[place].isdecimal() and not room.is_kept((place, place + 1))


def _behind_endings(room: Room, want: Wanted, end: int) -> int:
    """And behind what else was written onto the number: 10er, 40er0er."""
    while letters := _run_on(room, want, end):
        if len(letters) > _ENDING or room.is_kept((end, end + len(letters))):
            break
        _, end = _all_digits(room, (end, end + len(letters)))
    return end


def _run_on(room: Room, want: Wanted, end: int) -> str:
    """Letters that go on there, though in the source none do: an ending (20er), or a word. A bare
    number may have a unit (5.5km); a date, a time, a price or a share has none."""
    found = _LETTERS.match(room.text, end)
    if found is None or want.behind[:1].isalpha():
        return ""
    is_bare = not (want.has_sign or is_date_or_time(want.text))
    return "" if is_bare and _UNIT.fullmatch(found[0]) else found[0]


def made_up(room: Room, put_in: Sequence[tuple[Wanted, Edit]]) -> list[Edit]:
    """Digits, with their endings, of what was put in because the model did not write it: those that
    come from it, that can come from no word, or that stand right beside it. A model that has seen
    few numbers writes several for one (52 528 8 for 52583)."""
    copied = sorted(want.source for want, _ in put_in if _has_digits(want))
    if not copied:
        return []
    free = [m.span() for m in _MADE_UP.finditer(room.text) if not room.is_kept(m.span())]
    gone = {edit.place for want, edit in put_in if want.is_number}
    gone |= {
        span
        for span in free
        if _comes_from(copied, room, span[0])
        or (_NO_WORD.match(room.text, *span) and not _is_told(room, span[0]))
    }
    in_order = sorted({*free, *gone})
    for one, other in [*pairwise(in_order), *pairwise(in_order[::-1])]:
        (_, end), (start, _) = sorted((one, other))
        if one in gone and room.text[end:start].isspace() and not _is_told(room, other[0]):
            gone.add(other)
    return [_left_out(room, span) for span in free if span in gone]


def _left_out(room: Room, span: Span) -> Edit:
    """With the space before it, or behind it where nothing is before, unless letters go on."""
    start, end = span
    left, right = room.text[max(0, start - 1) : start], room.text[end : end + 1]
    if not right.isalnum():
        start, end = start - left.isspace(), end + (not left and right.isspace())
    return Edit("", (start, end))


def _word_at(room: Room, place: int) -> Link | None:
    n = bisect_right(room.words, place, key=lambda link: link.target[0]) - 1
    return room.words[n] if n >= 0 and room.words[n].target[1] > place else None


def _is_told(room: Room, place: int) -> bool:
    """Whether the word at a place surely comes from one of the source."""
    word = _word_at(room, place)
    return word is not None and word.score >= _SURELY


def _comes_from(sources: Sequence[Span], room: Room, place: int) -> bool:
    """Whether the word at a place looks at one of them; they are sorted."""
    word = _word_at(room, place)
    if word is None:
        return False
    start, end = word.source
    last = bisect_left(sources, (end,)) - 1
    return last >= 0 and sources[last][1] > start


def _has_digits(want: Wanted) -> bool:
    """And is not spelt in another word (the 90s)."""
    return want.joint is not Joint.WORD and any(map(str.isdecimal, want.text))


def before_counted(room: Room, want: Wanted, some: Looking) -> int | None:
    """Where the word begins that comes from what a number counts, unless a word looks at the
    number firmly, or the one that does so most stands right before it ("drei Hunde")."""
    if not want.is_number or want.joint is not Joint.NONE or not some.by_score:
        return None
    best, n = some.by_score[-1], bisect_left(room.starts, want.source[1])
    if best.score >= _FIRMLY or room.starts[n : n + 1] != [want.source[1] + 1]:
        return None
    last = bisect_right(room.starts, room.starts[n])
    words = [link.target for link in room.links[n:last] if not room.is_kept(link.target)]
    if not words or any(room.text[best.target[1] : word[0]].isspace() for word in words):
        return None
    return core(room.text, min(words))[0]

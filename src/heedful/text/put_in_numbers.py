"""How numbers get into a translation, and the signs that they have lost there."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from heedful.text.edits import Edit
from heedful.text.links import Span
from heedful.text.looking import Looking
from heedful.text.numbers import lost_signs, signs
from heedful.text.room import Room, core
from heedful.text.scripts import STANDS_ALONE
from heedful.text.wanted import Joint, Wanted

_FIRMLY = 0.5  # how much a word looks at a number that it stands for: an article does so a little
_ENDING = 3  # letters of an ending
_LETTERS = re.compile(rf"(?:(?![0-9])[{STANDS_ALONE}])+")
_UNIT = re.compile(
    r"""[kcdmµμn]?m | [kmµμ]?g | [cdmh]?l | h | min | m?s | [kMG]?(?:W|Wh|Hz|V|A) | [kKMGT]i?B
    | px | ft | lb | oz""",
    re.VERBOSE,
)
_DIGITS = r"[0-9] (?: [0-9] | [.,:/-](?=[0-9]) )*+"
_MADE_UP = re.compile(
    rf"""{_DIGITS} (?: (?: (?: (?![0-9])[{STANDS_ALONE}] ){{1,{_ENDING}}} [0-9]*+ )+
    (?![{STANDS_ALONE}]) )?""",
    re.VERBOSE,
)
"""With all their endings: 10er, 200er0."""


def has_sign(want: Wanted) -> bool:
    """Whether it is a number with one in the source: 20%, $5."""
    return want.is_number and any(signs(want.before, want.behind))


def with_lost_sign(room: Room, want: Wanted, span: Span) -> Edit:
    """What stands there stays; a number gets the sign that it has lost, unless a word behind it
    comes from it too, and so may say it."""
    edit = Edit(room.text[slice(*span)], span)
    if not (has_sign(want) and room.links):
        return edit
    _, some = room.looking_at(want)
    if room.neighbour(some, room.from_place(span[1]), start=span[1]):
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
    before, behind = lost_signs(want.before, want.behind, room.text, edit.place)
    number = want.text if want.text in edit.text else edit.text  # 10.000 for 10,000
    return edit.text.replace(number, f"{before}{number}{behind}", 1)


def instead_of_number(room: Room, want: Wanted, some: Looking) -> Edit:
    """Of all its digits, though a link may be of some, and of those that go on behind it; not
    onto a word that it does not stand at in the source (`links2024`)."""
    start, end = _all_digits(room, some.numbers[-1][1])
    n = room.from_place(end)
    while more := room.neighbour(some, n, start=end):
        word = core(room.text, more.target)
        if not room.text[slice(*word)].isdecimal():
            break
        n, end = n + 1, word[1]
    letters = _run_on(room, want, end)
    if len(letters) <= _ENDING and not room.is_kept((end, end + len(letters))):
        letters, end = "", end + len(letters)
    edit = room.instead(want, (start, end))
    before = room.text[max(0, edit.place[0] - 1) : edit.place[0]]
    runs_in = _LETTERS.match(before) is not None and not want.before[-1:].isalnum()
    return replace(edit, text=" " * runs_in + edit.text + " " * (letters != ""))


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


def _run_on(room: Room, want: Wanted, end: int) -> str:
    """Letters that go on there, though in the source none do: an ending (20er), or a word. A bare
    number may have a unit (5.5km); a date, a time, a price or a share has none."""
    found = _LETTERS.match(room.text, end)
    if found is None or want.behind[:1].isalpha():
        return ""
    is_bare = not (any(mark in want.text[1:] for mark in "-:/") or has_sign(want))
    return "" if is_bare and _UNIT.fullmatch(found[0]) else found[0]


def made_up(room: Room, wanted: Sequence[Wanted]) -> list[Edit]:
    """Digits, with their endings, that come from what stands as it is in the source, and are no
    part of it: a model that has seen few numbers writes several for one (52 528 8 for 52583)."""
    copied = sorted(want.source for want in wanted if _has_digits(want))
    found = []
    for match in _MADE_UP.finditer(room.text) if copied else ():
        start, end = match.span()
        n = bisect_right(room.words, start, key=lambda link: link.target[0]) - 1
        if n < 0 or room.words[n].target[1] <= start or room.is_kept((start, end)):
            continue
        source = room.words[n].source
        last = bisect_left(copied, (source[1],)) - 1
        if last >= 0 and copied[last][1] > source[0]:
            goes_on = room.text[end : end + 1].isalnum()
            is_word = room.text[max(0, start - 1) : start].isspace() and not goes_on
            found.append(Edit("", (start - is_word, end)))
    return found


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

"""How what a translation lacks gets into it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from heedful.text.edits import Edit, edited, in_pairs, outside
from heedful.text.links import Link, Span
from heedful.text.looking import Looking
from heedful.text.put_in_numbers import (
    before_counted,
    instead_of_number,
    made_up,
    signed,
    with_lost_sign,
)
from heedful.text.room import Room, core
from heedful.text.seams import with_one_end
from heedful.text.sentences import SENTENCE_ENDS
from heedful.text.wanted import Joint, Wanted, places_of, standing

# The share of what a word looks at that makes it a part of a term: while there are no more words
# than the term has in the source, and beyond. Half of what an article looks at is its noun.
_MOSTLY, _HARDLY_ELSEWHERE = 0.5, 0.75
_NEARLY = 0.2  # what a noun may look less at a term than its article does


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
    if None not in found and not any(want.is_tag or want.has_sign for want in wanted):
        return translation, list(links)
    room = Room(wanted, translation, links)
    for spans in places.values():
        for span in spans:
            room.keep(span)
    edits = [
        with_lost_sign(room, want, span) if span else _put_in(room, want)
        for want, span in zip(wanted, found, strict=True)
    ]
    paired = in_pairs([edit for edit in edits if edit])
    together = zip(wanted, found, edits, strict=True)
    put_in = [(want, edit) for want, span, edit in together if span is None and edit]
    placed = outside([*paired, *made_up(room, put_in)], [edit.place for edit in paired])
    changes = [edit for edit in placed if edit.text != translation[slice(*edit.place)]]
    return edited(translation, changes, links)


def _put_in(room: Room, want: Wanted) -> Edit | None:
    """With what it stands for."""
    first, some = room.looking_at(want)
    some.drop(room.is_kept)
    score = some.by_score[-1].score if some.by_score else 0.0
    edit = _edit(room, want, some, first)
    if edit is None or want.is_tag:
        return edit
    text = signed(room, want, edit) if want.has_sign else edit.text
    return replace(edit, text=text, source=want.source, score=score)


def _edit(room: Room, want: Wanted, some: Looking, first: int) -> Edit | None:
    """The number of a list's item begins the translation. All else takes the place of the word that
    looks at it most, which says the same in another way ("drei" for 3), and of those beside it that
    do too, or of a number in it (8km for 5km), but not of what is to be kept, and not of a word
    that says more (`<b>the`): it is written onto that. A number that no word looks at firmly stands
    before what it counts. Where there is none, it stands where the word comes again that it took
    the place of before, or where it has an ending, or behind the word that comes from what is
    before it in the source; where nothing is known of any word, at the end."""
    if some.numbers and want.is_number:
        return instead_of_number(room, want, some)
    if want.source[0] == 0 and want.behind == "." and want.is_number:
        return room.instead(replace(want, text=f"{want.text}."), (0, 0))
    if want.joint is Joint.WORD:
        return None  # it is spelt in another word
    if some.are_any and (is_behind := _is_behind(room, want, some)) is not None:
        return _beside(room, want, some, is_behind)
    if (at := before_counted(room, want, some)) is not None:
        return room.instead(want, (at, at))
    if (word := _same(room, want, some)) is not None:
        return room.instead(want, word)
    if some.in_order:
        at = some.in_order[-1].target[0]
    elif not want.is_tag and (place := room.again(want)):
        return room.instead(want, place)
    elif first:
        at = room.links[first - 1].target[1]
    else:
        at = 0 if room.links else len(room.text)
    at = at if want.is_tag else min(at, len(room.text.rstrip(f" {SENTENCE_ENDS}")))
    return room.instead(want, (at, at))


def _same(room: Room, want: Wanted, some: Looking) -> Span | None:
    """What says the same in another way, or what is left of a tag (b of <b>)."""
    if not some.by_score:
        return None
    if want.joint is Joint.UNIT:  # "fünf Kilometer"
        return core(room.text, some.in_order[-1].target) if some.are_several else None
    best = some.by_score[-1]
    word = core(room.text, best.target)
    if want.is_tag:
        return word if room.text[slice(*word)].lower() in want.text.lower() else None
    if room.is_shared(some.source):
        return word
    return _stretch(room, best if want.is_number else _noun(room, best, some), some, want.words)


def _noun(room: Room, best: Link, some: Looking) -> Link:
    """The last of the words from there on that look there nearly as much: an article may do so
    more than its noun."""
    least = best.score - _NEARLY
    n = bisect_left(room.words, best.target, key=lambda link: link.target)
    noun, end = best, core(room.text, best.target)[1]
    while (more := room.word_behind(end, n + 1, some)) and more.score >= least:
        n, noun, end = n + 1, more, core(room.text, more.target)[1]
    return noun


def _stretch(room: Room, best: Link, some: Looking, words: int) -> Span:
    """A word, and those beside it that mostly look there too, the one that does so more first;
    `words` stand for it in the source."""
    start, end = core(room.text, best.target)
    last = bisect_right(room.words, best.target, key=lambda link: link.target)
    first, taken = last - 2, 1
    while True:
        before = room.word_before(start, first, some)
        behind = room.word_behind(end, last, some)
        more = max(before, behind, key=lambda link: link.score if link else 0.0)
        least = _MOSTLY if taken < words else _HARDLY_ELSEWHERE
        if more is None or more.score <= least:
            return start, end
        word = core(room.text, more.target)
        start, end = min(start, word[0]), max(end, word[1])
        first, last = first - (more is before), last + (more is behind)
        taken += 1


def _is_behind(room: Room, want: Wanted, some: Looking) -> bool | None:
    """On which side of its word it stood in the source, if the word says more."""
    start, end = want.source
    before, behind = want.before, want.behind
    if not want.is_tag:  # a link may be of less: a piece, where there are no spaces
        before = before[max(0, len(before) - max(0, start - some.source[0])) :]
        behind = behind[: max(0, some.source[1] - end)]
    said_before = room.says(before, start - len(before), want)
    said_behind = room.says(behind, end, want) and want.joint is Joint.NONE
    if said_before or said_behind:
        opens = want.is_tag and not want.text.startswith("</")
        return not said_behind if opens else said_before
    return bool(before) if (before or behind) and not some.in_order else None


def _beside(room: Room, want: Wanted, some: Looking, is_behind: bool) -> Edit:
    """As it stood in the source, marks included; apart, if it would run into the word."""
    text, word = want.text, some.last if is_behind else some.first
    start, end = core(room.text, word)
    if is_behind:
        if want.behind and room.text.endswith(want.behind, *word):
            at = word[1] - len(want.behind)
        else:
            ends = not want.is_tag and any(m in SENTENCE_ENDS for m in room.text[end : word[1]])
            at = end if (want.before[-1:].isalnum() or ends) and end > start else word[1]
        runs_in = text[0].isalnum() or not want.before[-1:].isalnum()
        apart = runs_in and room.text[at - 1 : at].isalnum() and not want.is_tag
        return Edit(" " * apart + text, (at, at), word)
    if want.before and room.text.startswith(want.before, *word):
        at = word[0] + len(want.before)
    else:
        at = start if want.behind[:1].isalnum() else word[0]
    runs_in = text[-1].isalnum() or not want.behind[:1].isalnum()
    apart = runs_in and room.text[at : at + 1].isalnum() and not want.is_tag
    return Edit(text + " " * apart, (at, at), word)

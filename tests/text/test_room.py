"""Which places of a translation are free."""

from __future__ import annotations

from heedful.text.copied import copied
from heedful.text.room import Room, core

from .linked import links_of

SOURCE, TRANSLATION = "See 12 or 7 dogs", "Sieh, zwölf Hunde oder sieben"


def _room() -> Room:
    links = links_of(SOURCE, TRANSLATION, "00 11 42 23 34")
    return Room(copied(SOURCE), TRANSLATION, links)


def test_words_stand_beside_each_other_if_only_space_is_between() -> None:
    room = _room()
    twelve, _ = copied(SOURCE)
    first, some = room.looking_at(twelve)
    assert (first, [link.target for link in some.in_order]) == (1, [(6, 11)])
    assert room.word_behind(5, 1, some) == room.words[1]
    assert room.word_behind(3, 1, some) is None  # a comma is between
    assert room.word_before(12, 1, some) == room.words[1]
    assert room.word_behind(11, 2, some) is None  # it looks elsewhere
    assert room.word_behind(0, -1, some) is room.word_behind(0, 9, some) is None


def test_what_is_taken_is_no_longer_free() -> None:
    room = _room()
    twelve, _ = copied(SOURCE)
    _, some = room.looking_at(twelve)
    assert not room.is_kept((0, len(TRANSLATION)))
    assert room.instead(twelve, (6, 11)).text == "12"
    assert room.is_kept((0, 7))
    assert not room.is_kept((0, 6))
    assert room.word_behind(5, 1, some) is None


def test_a_word_has_no_marks() -> None:
    assert core(TRANSLATION, (0, 5)) == (0, 4)
    assert core("a -- b", (2, 4)) == (2, 2)

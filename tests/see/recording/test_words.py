from __future__ import annotations

import pytest

from heedful.see.recording.words import join_words, word_starts


def test_a_piece_with_the_space_sign_begins_a_word() -> None:
    pieces = ("▁did", "n", "'", "t", "▁move", "</s>")
    assert word_starts(pieces) == [0, 4, 5]
    assert join_words(pieces) == ("didn't", "move", "</s>")


def test_marks_stay_alone_on_both_sides() -> None:
    assert join_words(("<s>", "he", "▁is", "</s>")) == ("<s>", "he", "is", "</s>")


def test_labels_without_the_sign_are_words_already() -> None:
    assert join_words(("l", "a", "ŋ", "</s>")) == ("l", "a", "ŋ", "</s>")


def test_a_lone_space_sign() -> None:
    assert join_words(("▁", "이", "▁")) == ("이", "▁")


def test_bytes_become_their_character() -> None:
    assert join_words(("▁caf", "<0xC3>", "<0xA9>", "▁<0xFF>")) == ("café", "\ufffd")


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        (("▁私", "は", "犬", "です", "</s>"), ("私", "は", "犬", "です", "</s>")),
        (("▁ฉัน", "รัก", "หมา", "</s>"), ("ฉัน", "รัก", "หมา", "</s>")),
        (("▁iPhone", "を", "買", "う"), ("iPhone", "を", "買", "う")),
        (("▁나", "는", "▁개", "를", "</s>"), ("나는", "개를", "</s>")),
    ],
)
def test_scripts_without_spaces_are_seen_piece_by_piece(
    pieces: tuple[str, ...], words: tuple[str, ...]
) -> None:
    assert join_words(pieces) == words


def test_nothing() -> None:
    assert word_starts(()) == []
    assert join_words(()) == ()

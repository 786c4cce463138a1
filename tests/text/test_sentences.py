from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.text.sentences import chunks, split_sentences

TEXT = st.text() | st.text(st.sampled_from("ab1 .!?…。！,;、—\"'」)\n\t\u0301\u200d"))


@pytest.mark.parametrize(
    "sentences",
    [
        ["Hello there. ", "How are you? ", "Fine!"],
        ["Mr. Smith met Dr. Jones (cf. Fig. 3). ", "They spoke."],
        ["J. R. Tolkien left the U.S. Army. ", "It is no. 5."],
        ["She said no. ", "He left."],
        ["Am 3. Oktober kam er. ", "Das war z. B. gut, d. h. bzw. z.B. schön. ", "Ja."],
        ["There were 3. ", "A dog runs. ", "There were 12. ", "They ran."],
        ["Es waren 3. ", "Die Hunde liefen 2020. ", "Hunde laufen."],
        ["Der 3. Mann im 19. Jahrhundert, am 3. Mai. ", "Die 3. A-Klasse."],
        ["1. The dog runs. ", "2. A cat runs. ", "3. Katzen."],
        ["It costs 3.14 at www.a.org/b.c?d=e or me@a.org. ", "Yes."],
        ['"Why?" he asked. ', '"Because." ', "She left."],
        ["Well... yes… and no. ", "Right… ", "No... ", "What?!  ", "Oh."],
        ["これは文です。", "「はい。」", "次の文！？", "終わり"],
        ["यह है। ", "वह है॥ ", "हाँ"],
        ["مرحبا؟ ", "نعم."],
        ["  Two.\t ", "Spaces.  "],
        [" \t"],
        [],
    ],
)
def test_sentences_by_hand(sentences: list[str]) -> None:
    assert split_sentences("".join(sentences)) == sentences


@given(TEXT)
@settings(deadline=None, max_examples=300)
def test_sentences_join_to_the_text(text: str) -> None:
    parts = split_sentences(text)
    assert "".join(parts) == text
    assert all(parts)


@given(TEXT, st.integers(1, 12))
@settings(deadline=None, max_examples=300)
def test_chunks_join_to_the_text_and_fit(text: str, limit: int) -> None:
    parts = chunks(text, lambda part: len(part) <= limit)
    assert "".join(parts) == text
    # Only a letter with its marks, or emoji held by joiners, may be longer.
    assert all(len(part) <= limit or len(part.encode()) > len(part) for part in parts)


def test_chunks_prefer_clauses_then_words_then_letters() -> None:
    def fits(part: str) -> bool:
        return len(part.rstrip()) <= 10

    assert chunks("one, two, three four five. Six.", fits) == [
        "one, two, ",
        "three four ",
        "five. ",
        "Six.",
    ]
    assert chunks("abcdefghijklm", fits) == ["abcdefghij", "klm"]
    assert chunks("一二三四、五六七八、九十百千", fits) == ["一二三四、五六七八、", "九十百千"]


def test_chunks_hold_no_two_sentences() -> None:
    assert chunks("It is. So it is.", lambda _: True) == ["It is. ", "So it is."]


def test_chunks_keep_marks_with_their_letter() -> None:
    assert chunks("e\u0301e\u0301👩\u200d👧", lambda part: len(part) <= 1) == [
        "e\u0301",
        "e\u0301",
        "👩\u200d👧",
    ]


def test_no_character_is_endless() -> None:
    """It took time in proportion to the square of its length."""
    start = time.perf_counter()
    text = "e" + "\u0301" * 300_000
    parts = chunks(text, lambda part: len(part) <= 1)
    assert "".join(parts) == text
    assert max(map(len, parts)) == 32
    assert time.perf_counter() - start < 60


@pytest.mark.parametrize("unit", [".", "x", "a. ", ".x", ",", '"', "? ", " ", "e\u0301", "。"])
def test_long_lines_take_no_time(unit: str) -> None:
    start = time.perf_counter()
    text = unit * 50_000
    assert "".join(chunks(text + "x", lambda part: len(part) < 500)) == text + "x"
    assert time.perf_counter() - start < 60

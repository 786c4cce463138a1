"""Which encoding a text is in, by its bytes and perhaps its language."""

from __future__ import annotations

import pytest

from heedful.text.encodings import ENCODINGS, guess_encoding

from .sentences import ENCODED_IN, SENTENCES


@pytest.mark.parametrize(("language", "encoding"), ENCODED_IN)
def test_a_few_sentences_are_enough(language: str, encoding: str) -> None:
    """What is proposed reads as it was written; which of several names it has does not matter."""
    text = "\n".join(SENTENCES[language])
    guess = guess_encoding(text.encode(encoding))
    assert guess.is_sure
    assert text.encode(encoding).decode(guess.encodings[0]) == text


@pytest.mark.parametrize(("language", "encoding"), ENCODED_IN)
def test_one_line_is_enough_if_its_language_is_known(language: str, encoding: str) -> None:
    for line in SENTENCES[language]:
        if not line.isascii():
            guess = guess_encoding(line.encode(encoding), language)
            assert line.encode(encoding).decode(guess.encodings[0]) == line


@pytest.mark.parametrize(("language", "encoding"), ENCODED_IN)
def test_of_one_line_nothing_wrong_is_said_to_be_certain(language: str, encoding: str) -> None:
    for line in SENTENCES[language]:
        guess = guess_encoding(line.encode(encoding))
        if guess.is_sure:
            assert line.encode(encoding).decode(guess.encodings[0]) == line


def test_readings_that_differ_are_all_listed() -> None:
    """õ and ő, û and ű are the same bytes, and each is a letter of some language."""
    guess = guess_encoding("Jó napot. Ma szép idő van. Budapesten éltem.".encode("cp1250"))
    assert not guess.is_sure
    assert {"cp1250", "cp1252"} <= set(guess.encodings[:3])
    of_hungarian = guess_encoding("Ma szép idő van. Budapesten éltem.".encode("cp1250"), "hu")
    assert (of_hungarian.encodings[0], of_hungarian.is_sure) == ("cp1250", True)


def test_a_few_bytes_say_nothing() -> None:
    assert guess_encoding("뛰어!".encode("cp949")).is_too_short
    assert guess_encoding("뛰어!".encode("cp949"), "ko").encodings == ("cp949",)


def test_bytes_that_are_no_text() -> None:
    assert guess_encoding(bytes(range(0x80, 0x100)) * 3).encodings == ()


@pytest.mark.parametrize("code", ["zh-Hant", "zh-TW", "zh"])
def test_variants_of_a_language(code: str) -> None:
    data = SENTENCES["zh-hant"][0].encode("big5")
    assert guess_encoding(data, code).encodings[0] == "big5-hkscs"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_python_knows_all_names(encoding: str) -> None:
    assert "abc".encode(encoding) == b"abc"

"""Codes of languages."""

from __future__ import annotations

import pytest

from heedful.errors import InputError
from heedful.text.languages import NAMES, known_code, language_code, of_files, warning_about


@pytest.mark.parametrize(
    ("source", "target", "codes"),
    [
        ("train.en", "train.de", ["en", "de"]),
        ("some/train.EN.gz", "train.pt-br", ["en", "pt-br"]),
        ("train.kor", "train.eng.XZ", ["ko", "en"]),
        # No codes that we know, or one of them only, or twice the same, or none at all.
        ("train.src", "train.tgt", []),
        ("train.en", "train.txt", []),
        ("old.en", "new.en", []),
        ("-", "train.de", []),
        ("en", "de", []),
        (None, "train.de", []),
    ],
)
def test_files_say_their_languages(source: str | None, target: str, codes: list[str]) -> None:
    assert of_files(source, target) == codes


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("ko", "ko"), ("KO", "ko"), ("kor", "ko"), ("Korean", "ko"), (" korean ", "ko"),
        ("deu", "de"), ("ger", "de"), ("norwegian bokmål", "nb"), ("Lao", "lo"),
        ("pt-BR", "pt-BR"), ("pt_BR", "pt-BR"), ("zh-Hant", "zh-Hant"), ("eng_Latn", "en-Latn"),
        ("tlh", "tlh"), ("yue", "yue"), ("ain", "ain"), ("xx", "xx"),
    ],
)  # fmt: skip
def test_what_users_call_a_language(word: str, code: str) -> None:
    assert language_code(word, "source") == code


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("klingon", "source language 'klingon' is not a language code: write one of two or three"),
        ("Koraen", r"'Koraen' is not a language code \(did you mean 'korean'\?\)"),
        ("e", "not a language code"),
        ("", "not a language code"),
        ("-", "not a language code"),
        ("en-", "not a language code"),
        ("train.en", "not a language code"),
    ],
)
def test_what_is_no_language(word: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        language_code(word, "source")


def test_codes_that_are_not_in_the_table() -> None:
    assert warning_about("pt-BR", "source") is None
    assert warning_about("yue", "target") == (
        "target language 'yue' is none that heedful knows; it is kept as it is"
    )
    assert str(warning_about("kr", "source")).endswith("kept as it is. The code of Korean is ko")


def test_each_language_has_its_own_codes() -> None:
    for code, name in NAMES.items():
        assert known_code(code) == known_code(name) == code
        assert known_code(name.upper()) == code

"""Codes of languages."""

from __future__ import annotations

import pytest

from heedful.text.languages import of_files


@pytest.mark.parametrize(
    ("source", "target", "codes"),
    [
        ("train.en", "train.de", ["en", "de"]),
        ("some/train.EN.gz", "train.pt-br", ["en", "pt-br"]),
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

"""Tags are not cut."""

from __future__ import annotations

import pytest

from heedful.text.sentences import split_sentences
from heedful.text.unbroken import cut_between_tags


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("One. Two.", ["One. ", "Two."]),
        ('A <img alt="Dog. Cat."/> runs. Yes.', ['A <img alt="Dog. Cat."/> runs. ', "Yes."]),
        ("If n <k. We stop. Or k> n.", ["If n <k. ", "We stop. ", "Or k> n."]),
        ("Now < then. There > here.", ["Now < then. ", "There > here."]),
    ],
)
def test_sentences_end_between_tags(text: str, pieces: list[str]) -> None:
    assert list(cut_between_tags(text, split_sentences)) == pieces

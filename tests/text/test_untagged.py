"""What a model reads of a text with tags."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.text.untagged import untagged


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("A <b>dog</b> runs.", "A dog runs."),
        ('See <a href="x.org/1"><i>the</i> dog</a>.', "See the dog."),
        ("un<b>believ</b>able", "unbelievable"),
        ("one<br/>two<br>three", "one two three"),
        ('a <img src="x"> b</p> <a href="y">c', "a   b  c"),
        ("The <0>red</0> dog", "The red dog"),
        ("<li>Dogs</li><li>Cats</li>", " Dogs  Cats "),
        ("<p>One.", " One."),
        # Another word would come of it.
        ("Drink H<sub>2</sub>O", "Drink H<sub>2</sub>O"),
        # It may be a word; there is nothing else to read; there are no tags.
        ("Hello <name>, you", "Hello <name>, you"),
        ("<b>12</b>", "<b>12</b>"),
        ("a < b > c", "a < b > c"),
        ("Hello <name>, <b>you</b>", "Hello <name>, you"),
    ],
)
def test_tags_around_words_are_left_out(text: str, read: str) -> None:
    assert untagged(text).text == read


def test_words_are_found_again_with_the_tags_that_are_written_onto_them() -> None:
    text = 'A <b id="1"><i>red</i> dog</b>, 7 cats<br/>run</u>'
    found = untagged(text)
    words = [match.span() for match in re.finditer(r"\S+", found.text)]
    assert [text[slice(*found.as_it_was(word))] for word in words] == [
        "A", '<b id="1"><i>red</i>', "dog</b>,", "7", "cats", "run</u>",
    ]  # fmt: skip
    page = "<li>Dogs</li><li>Cats</li>"
    read = untagged(page)
    assert [page[slice(*read.as_it_was(word))] for word in ((1, 5), (7, 11))] == [
        "<li>Dogs</li>", "<li>Cats</li>",
    ]  # fmt: skip
    place = text.index("7")
    start, end = found.here((place, place + 1))
    assert found.text[start:end] == "7"


@given(st.lists(st.sampled_from(["ab", "c", " ", "<b>", "</b>", "<br/>", "."]), max_size=12))
def test_every_letter_is_found_again(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = untagged(text)
    for place, letter in enumerate(found.text):
        if not letter.isspace():
            assert letter in text[slice(*found.as_it_was((place, place + 1)))]
    for match in re.finditer(r"[a-c](?![^<]*>)", text):
        assert found.text[slice(*found.here(match.span()))] == match[0]

"""Lines, and the white space around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.text.paragraphs import join_paragraphs, split_paragraphs


@pytest.mark.parametrize(
    ("text", "lines", "gaps"),
    [
        ("One.", ["One."], ["", ""]),
        ("  One.\n\n\tTwo. Three. \r\n", ["One.", "Two. Three."], ["  ", "\n\n\t", " \r\n"]),
        ("a\u2028b", ["a", "b"], ["", "\u2028", ""]),
        (" \n ", [], [" \n "]),
        ("", [], [""]),
    ],
)
def test_lines_and_what_stands_around_them(text: str, lines: list[str], gaps: list[str]) -> None:
    assert split_paragraphs(text) == (lines, gaps)


@given(st.text(alphabet=st.sampled_from("ab.\n\r \t\u2028\u00a0\x1c")))
def test_they_make_up_the_text(text: str) -> None:
    lines, gaps = split_paragraphs(text)
    assert join_paragraphs(lines, gaps) == text
    assert all(line == line.strip() != "" for line in lines)
    assert len(gaps) == len(lines) + 1

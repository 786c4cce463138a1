from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from heedful.text.tidy import line_hashes, tidy, tidy_lines, tidy_pairs

MARKS = st.sampled_from(
    ["e", "\u0301", "\u0323", "ᄒ", "ᅡ", "ᆫ", " ", "\u2000", "\x85", "\r", "\ufb2c"]
)
LINE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n")) | st.lists(
    MARKS
).map("".join)


@given(st.lists(LINE))
def test_many_lines_at_once_are_tidied_like_each(lines: list[str]) -> None:
    assert tidy_lines("".join(line + "\n" for line in lines)) == [tidy(line) for line in lines]


def test_pairs_with_a_blank_side_are_left_out() -> None:
    assert tidy_pairs("a\n\n c\n\u3000\n", "A\nB\n C \nD\n") == (["a", "c"], ["A", "C"])
    assert tidy_pairs("a\nb\n", "A\nB\n") == (["a", "b"], ["A", "B"])


def test_a_line_has_one_hash() -> None:
    first, second, third = line_hashes(["a", "b", "a"]).tolist()
    assert first == third != second

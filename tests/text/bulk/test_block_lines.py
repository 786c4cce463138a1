from __future__ import annotations

import sys

from hypothesis import given
from hypothesis import strategies as st

from heedful.text.bulk.block_lines import LAST_SPACE, BlockLines
from heedful.text.tidy import tidy

from ..test_tidy import LINE

SPACES = [chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()]


@given(st.lists(LINE | st.text([*SPACES, "é"]).map(lambda line: line.replace("\n", ""))))
def test_lines_are_found_and_tidied(lines: list[str]) -> None:
    found = BlockLines("".join(line + "\n" for line in lines).encode())
    assert len(found) == len(lines)
    assert found.is_blank().tolist() == [not tidy(line) for line in lines]
    assert [found.tidied(number) for number in range(len(lines))] == [tidy(line) for line in lines]


def test_every_space_counts() -> None:
    assert max(SPACES) == chr(LAST_SPACE)
    blank = [space for space in SPACES if space != "\n"]
    assert BlockLines("".join(space + "\n" for space in blank).encode()).is_blank().all()

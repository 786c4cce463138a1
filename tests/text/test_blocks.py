from __future__ import annotations

import io
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.errors import InputError
from heedful.text import blocks
from heedful.text.blocks import BlockReader

PARTS = st.lists(st.sampled_from(["a", "é", "\n", "\r\n", "\r", "\x85", "\u2028", "\t", "longer"]))


def lines_of(data: bytes, *, size: int, n_taken: int) -> list[str]:
    with mock.patch.object(blocks, "SIZE", size):
        reader, lines = BlockReader(io.BytesIO(data), "file"), list[str]()
        while n := min(n_taken, reader.n_lines):
            block = reader.take(n).decode()
            assert block.endswith("\n")
            assert block.count("\n") == n
            lines += block.split("\n")[:-1]
    return lines


@given(PARTS, st.integers(1, 9), st.integers(1, 4))
@settings(deadline=None)
def test_lines_end_at_lf_and_crlf_only_wherever_blocks_end(
    parts: list[str], size: int, n_taken: int
) -> None:
    text = "".join(parts)
    wanted = text.split("\n")
    ended = wanted.pop()
    wanted = [line.removesuffix("\r") for line in wanted] + ([ended] if ended else [])
    assert lines_of(text.encode(), size=size, n_taken=n_taken) == wanted


def test_byte_order_mark_is_dropped_at_the_very_start_only() -> None:
    assert lines_of("\ufeffa\n\ufeffb".encode(), size=100, n_taken=1) == ["a", "\ufeffb"]


def test_a_file_that_cannot_be_read_is_told_by_name() -> None:
    stream = mock.Mock()
    stream.read.side_effect = OSError("the disk is gone")
    with pytest.raises(InputError, match="none: there is no such file"):
        BlockReader(stream, "none")

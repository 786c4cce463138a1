"""Protocol buffers, as bytes."""

from __future__ import annotations

import time

import pytest

from heedful.wire import content, fields, number


@pytest.mark.parametrize("value", [0, 1, 127, 128, 2**32, 2**64 - 1])
def test_numbers_come_back(value: int) -> None:
    found = list(fields(number(3, value) + content(4, "é")))
    assert [(field.number, field.value) for field in found] == [(3, value), (4, "é".encode())]


@pytest.mark.parametrize("message", [b"\x08\x80", b"\x0a\x05a", b"\x0b"])
def test_what_is_no_message_is_told(message: bytes) -> None:
    with pytest.raises(ValueError, match=r"cut short|unknown"):
        list(fields(message))


def test_a_number_without_end_is_told_at_once() -> None:
    """A megabyte of it took minutes."""
    started = time.process_time()
    with pytest.raises(ValueError, match="64 bits"):
        list(fields(b"\x08" + b"\xff" * 1_000_000))
    assert time.process_time() - started < 1

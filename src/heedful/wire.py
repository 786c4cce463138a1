"""Protocol buffers as bytes: fields one after another, each a key (number and wire type) and its
content. For the few files of others whose own libraries we would need for nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Field(NamedTuple):
    """One of a message."""

    number: int
    value: int | bytes
    raw: bytes  # the whole field, key included


def fields(message: bytes) -> Iterator[Field]:
    """All of a message, in order; ValueError if it is none."""
    at = 0
    while at < len(message):
        start = at
        key, at = _varint(message, at)
        value: int | bytes
        match key & 7:
            case 0:
                value, at = _varint(message, at)
            case 1:
                value, at = message[at : at + 8], at + 8
            case 2:
                length, at = _varint(message, at)
                value, at = message[at : at + length], at + length
            case 5:
                value, at = message[at : at + 4], at + 4
            case other:
                raise ValueError(f"wire type {other} is unknown")
        if at > len(message):
            raise ValueError("the message is cut short")
        yield Field(key >> 3, value, message[start:at])


def number(of: int, value: int) -> bytes:
    """A field that is a whole number."""
    return _as_varint(of << 3) + _as_varint(value)


def content(of: int, value: bytes | str) -> bytes:
    """A field that is a text, bytes, or another message."""
    data = value.encode() if isinstance(value, str) else value
    return _as_varint(of << 3 | 2) + _as_varint(len(data)) + data


def four_bytes(of: int, value: bytes) -> bytes:
    """A field that is a number of 32 bits."""
    return _as_varint(of << 3 | 5) + value


def _varint(message: bytes, at: int) -> tuple[int, int]:
    """Seven bits a byte, lowest first; the top bit says that more follow, up to 64 bits in all."""
    value = shift = 0
    while at < len(message):
        if shift > 63:
            raise ValueError("a number has more than 64 bits")
        value |= (message[at] & 0x7F) << shift
        shift += 7
        at += 1
        if message[at - 1] < 0x80:
            return value, at
    raise ValueError("the message is cut short")


def _as_varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])

"""What the processes of `crew.py` tell each other, as bytes on a pipe.

A head in JSON, then the long parts as they lie in memory: to read it runs nothing of it.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np

from heedful.text.bulk.packed import Packed
from heedful.text.bulk.pair_encoder import Encoded
from heedful.text.corpus import Block

Setup = tuple[bytes, bytes, int, tuple[int, ...]]
"""What a PairEncoder is made from."""

_SIZE = struct.Struct("<Q")


@dataclass(frozen=True)
class Message:
    """A head that JSON can hold, and the parts that would be too long for it."""

    head: dict[str, Any]
    parts: Sequence[bytes]


def send(pipe: IO[bytes], message: Message) -> None:
    """Writes a whole message."""
    head = message.head | {"sizes": [len(part) for part in message.parts]}
    text = json.dumps(head, ensure_ascii=False).encode()
    pipe.write(_SIZE.pack(len(text)) + text)
    pipe.writelines(message.parts)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Message:
    """Reads a whole message; EOFError if the other end is gone."""
    (size,) = _SIZE.unpack(_read(pipe, _SIZE.size))
    head = json.loads(_read(pipe, size))
    return Message(head, [_read(pipe, n) for n in head.pop("sizes")])


def _read(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data


def from_setup(setup: Setup) -> Message:
    """Model files are long parts already."""
    source, target, longest, aside = setup
    return Message({"longest": longest, "aside": aside}, (source, target))


def to_setup(message: Message) -> Setup:
    """What `from_setup` was given."""
    source, target = message.parts
    return source, target, message.head["longest"], tuple(message.head["aside"])


def from_block(block: Block) -> Message:
    """A block is two long parts already."""
    return Message({}, block)


def to_block(message: Message) -> Block:
    """What `from_block` was given."""
    source, target = message.parts
    return source, target


def from_encoded(encoded: Encoded) -> Message:
    """Ids, lengths and hashes as numpy keeps them."""
    source, target = encoded.source, encoded.target
    arrays = (source.ids, source.lengths, target.ids, target.lengths, encoded.hashes)
    head = {
        "types": [array.dtype.str for array in arrays],
        "usable": encoded.usable,
        "aside": encoded.aside,
        "too_long": encoded.too_long,
    }
    return Message(head, [array.tobytes() for array in arrays])


def to_encoded(message: Message) -> Encoded:
    """What `from_encoded` was given."""
    head = message.head
    arrays: list[Any] = [
        np.frombuffer(part, kind) for part, kind in zip(message.parts, head["types"], strict=True)
    ]
    return Encoded(
        source=Packed(*arrays[0:2]),
        target=Packed(*arrays[2:4]),
        hashes=arrays[4],
        usable=head["usable"],
        aside=head["aside"],
        too_long=head["too_long"],
    )

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
from heedful.text.bulk.pair_encoder import Encoded, Task

Setup = tuple[bytes, bytes, int]
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
    return Message({"longest": setup[2]}, setup[:2])


def to_setup(message: Message) -> Setup:
    """What `from_setup` was given."""
    source, target = message.parts
    return source, target, message.head["longest"]


def from_task(task: Task) -> Message:
    """A block is two long parts already."""
    return Message({"aside": task.aside}, task.block)


def to_task(message: Message) -> Task:
    """What `from_task` was given."""
    source, target = message.parts
    return Task((source, target), tuple(message.head["aside"]))


def from_encoded(encoded: Encoded) -> Message:
    """Ids, lengths and hashes as numpy keeps them."""
    source, target = encoded.source, encoded.target
    arrays = (source.ids, source.lengths, target.ids, target.lengths, encoded.hashes)
    head = {
        "types": [array.dtype.str for array in arrays],
        "aside": encoded.aside,
        "usable": encoded.usable,
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
        aside=[(source, target) for source, target in head["aside"]],
        usable=head["usable"],
        too_long=head["too_long"],
    )

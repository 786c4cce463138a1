"""What the server and its worker say to each other: JSON, each with its length before it.

What is only passed on, as a record to whoever asked for it, follows on a line of its own, and is
read by neither."""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

from heedful.decoding.config import DecodingConfig
from heedful.decoding.hypothesis import Hypothesis
from heedful.engines.engine import Task

_LENGTH = struct.Struct("!I")
HEAD = _LENGTH.size


def pack(message: dict[str, Any]) -> bytes:
    """As it is sent. A result that is bytes is JSON already."""
    result = message.get("result")
    if isinstance(result, bytes):
        content = to_json({name: message[name] for name in message if name != "result"})
        content += b"\n" + result
    else:
        content = to_json(message)
    return _LENGTH.pack(len(content)) + content


def to_json(data: Any) -> bytes:
    """On one line."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def length_of(head: bytes) -> int:
    """Bytes that follow a frame's head."""
    (length,) = _LENGTH.unpack(head)
    return int(length)


def read(stream: BinaryIO) -> dict[str, Any] | None:
    """The next message; None at the end, also if that comes in the middle of one."""
    head = stream.read(HEAD)
    if len(head) < HEAD:
        return None
    content = stream.read(length_of(head))
    return unpack(content) if len(content) == length_of(head) else None


def unpack(content: bytes) -> dict[str, Any]:
    """What came behind a head."""
    told, has_more, result = content.partition(b"\n")
    message: dict[str, Any] = json.loads(told)
    return message | {"result": result} if has_more else message


def task_to_data(task: Task) -> dict[str, Any]:
    """A task as JSON has it."""
    return {
        "config": task.config.model_dump(),
        "nbest": task.nbest,
        "sources": [list(source) for source in task.sources],
        "limits": list(task.limits),
        "prefixes": [list(prefix) for prefix in task.prefixes],
        "phrases": [[list(phrase) for phrase in some] for some in task.phrases],
        "aligned": task.aligned,
    }


def task_from_data(data: dict[str, Any]) -> Task:
    """And back."""
    return Task(**data | {"config": DecodingConfig(**data["config"])})


def answers_to_data(found: list[list[Hypothesis]]) -> list[list[list[Any]]]:
    """Hypotheses as JSON has them."""
    return [[[list(h.tokens), h.log_prob, h.score, h.weights] for h in some] for some in found]


def answers_from_data(data: list[list[list[Any]]]) -> list[list[Hypothesis]]:
    """And back."""
    return [[Hypothesis(tuple(tokens), *rest) for tokens, *rest in some] for some in data]

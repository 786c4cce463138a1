"""Which kind of tokens a SentencePiece model file holds.

SentencePiece's Python module does not tell, so its model file, a protocol buffer, is read here:
a sequence of (field number, wire type, content). ModelProto's field 2 is the TrainerSpec, whose
field 3 is the model type.
"""

from __future__ import annotations

from collections.abc import Iterator

from heedful.text.config import TokenKind

_TRAINER_SPEC = 2
_MODEL_TYPE = 3
_UNIGRAM = 1  # protocol buffers leave a field out when it has its default
_KINDS: dict[int, TokenKind] = {_UNIGRAM: "subwords", 2: "subwords", 3: "words", 4: "chars"}


def kind_of_model(model: bytes) -> TokenKind:
    """The kind of tokens; ValueError if the bytes are no such model."""
    trainer_spec = dict(_fields(model)).get(_TRAINER_SPEC, b"")
    if not isinstance(trainer_spec, bytes):
        raise ValueError("the trainer spec is not a message")
    model_type = dict(_fields(trainer_spec)).get(_MODEL_TYPE, _UNIGRAM)
    if not isinstance(model_type, int) or model_type not in _KINDS:
        raise ValueError(f"model type {model_type!r} is unknown")
    return _KINDS[model_type]


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        match key & 7:
            case 0:
                number, at = _varint(message, at)
                yield key >> 3, number
                continue
            case 1:
                length = 8
            case 2:
                length, at = _varint(message, at)
            case 5:
                length = 4
            case other:
                raise ValueError(f"wire type {other} is unknown")
        yield key >> 3, message[at : at + length]
        at += length


def _varint(message: bytes, at: int) -> tuple[int, int]:
    """Seven bits a byte, lowest first; the top bit says that more follow."""
    value = shift = 0
    while at < len(message):
        value |= (message[at] & 0x7F) << shift
        shift += 7
        at += 1
        if message[at - 1] < 0x80:
            return value, at
    raise ValueError("the message is cut short")

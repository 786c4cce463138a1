"""What SentencePiece's Python module cannot do with a model file: tell which kind of tokens it
holds, forget where the normalization rules were read from, and do without them.

The file is a protocol buffer: fields one after another, each a key (number and wire type) and its
content. Numbers here are those of sentencepiece_model.proto.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from heedful.text.special import TokenKind

_TRAINER_SPEC, _NORMALIZER_SPEC = 2, 3  # in ModelProto
_MODEL_TYPE = 3  # in TrainerSpec
_RULES, _RULE_PATH = 2, 6  # in NormalizerSpec
_UNIGRAM = 1  # also when the field is left out
_KINDS: dict[int, TokenKind] = {_UNIGRAM: "subwords", 2: "subwords", 3: "words", 4: "chars"}


class _Field(NamedTuple):
    number: int
    value: int | bytes
    raw: bytes  # the whole field, key included


def kind_of_model(model: bytes) -> TokenKind:
    """The kind of tokens; ValueError if the bytes are no SentencePiece model."""
    model_type: int | bytes | None = None
    for field in _fields(model):
        if field.number == _TRAINER_SPEC and isinstance(field.value, bytes):
            types = [f.value for f in _fields(field.value) if f.number == _MODEL_TYPE]
            model_type = types[-1] if types else _UNIGRAM
    if not isinstance(model_type, int) or model_type not in _KINDS:
        raise ValueError(f"model type {model_type!r} is unknown")
    return _KINDS[model_type]


def without_rule_path(model: bytes) -> bytes:
    """The model without the name of the temporary file of rules, which differs at every learning
    (the rules themselves are in the model)."""
    return _without(_RULE_PATH, model)


def without_rules(model: bytes) -> bytes:
    """The model without its normalization rules: for text to which they have nothing to say, which
    SentencePiece then encodes to the same ids in half the time."""
    return _without(_RULES, model)


def _without(number: int, model: bytes) -> bytes:
    """Leaves a field of the normalizer out."""
    out = []
    for field in _fields(model):
        raw = field.raw
        if field.number == _NORMALIZER_SPEC and isinstance(field.value, bytes):
            kept = b"".join(f.raw for f in _fields(field.value) if f.number != number)
            raw = raw[:1] + _as_varint(len(kept)) + kept  # a key below 16 is one byte
        out.append(raw)
    return b"".join(out)


def _fields(message: bytes) -> Iterator[_Field]:
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
        yield _Field(key >> 3, value, message[start:at])


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


def _as_varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])

"""What SentencePiece's Python module cannot do with a model file: tell which kind of tokens it
holds, forget where the normalization rules were read from, do without them, number its pieces anew,
and begin every text with one of them.

The file is a protocol buffer; numbers here are those of sentencepiece_model.proto.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Sequence

from heedful.text.special import BOS, EOS, FIRST_WORD, PAD, UNK, TokenKind
from heedful.wire import content, fields, four_bytes, number

_PIECES, _TRAINER_SPEC, _NORMALIZER_SPEC = 1, 2, 3  # in ModelProto
_FIRST = 200  # heedful's own: from here on ModelProto is open to others
_PIECE, _SCORE, _TYPE = 1, 2, 3  # in SentencePiece
_NORMAL, _UNKNOWN, _CONTROL, _WHOLE, _UNUSED, _BYTE = 1, 2, 3, 4, 5, 6  # types of pieces
_BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
_SPELLS = 35  # in TrainerSpec: whether what has no piece is spelt in bytes
_SPECIAL_IDS = {PAD: 43, UNK: 40, BOS: 41, EOS: 42}  # in TrainerSpec
_UNKNOWN_PENALTY = 10.0  # SentencePiece's own
_VOCABULARY_SIZE = 4  # in TrainerSpec
_MODEL_TYPE = 3  # in TrainerSpec
_RULES, _RULE_PATH = 2, 6  # in NormalizerSpec
_UNIGRAM = 1  # also when the field is left out
_KINDS: dict[int, TokenKind] = {_UNIGRAM: "subwords", 2: "subwords", 3: "words", 4: "chars"}


def kind_of_model(model: bytes) -> TokenKind:
    """The kind of tokens; ValueError if the bytes are no SentencePiece model."""
    model_type: int | bytes | None = None
    for field in fields(model):
        if field.number == _TRAINER_SPEC and isinstance(field.value, bytes):
            types = [f.value for f in fields(field.value) if f.number == _MODEL_TYPE]
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


def scores_of_pieces(model: bytes) -> dict[str, float]:
    """The pieces that text is cut into, and how likely each is."""
    found: dict[str, float] = {}
    for field in fields(model):
        if field.number == _PIECES and isinstance(field.value, bytes):
            parts = {part.number: part.value for part in fields(field.value)}
            if parts.get(_TYPE, _NORMAL) == _NORMAL:
                text, score = parts[_PIECE], parts.get(_SCORE, bytes(4))
                assert isinstance(text, bytes)
                assert isinstance(score, bytes)
                (found[text.decode()],) = struct.unpack("<f", score)
    return found


def first_piece(model: bytes) -> str | None:
    """The piece that every text begins with, unless there is none."""
    found = [field.value for field in fields(model) if field.number == _FIRST]
    return found[-1].decode() if found and isinstance(found[-1], bytes) else None


def renumbered(
    model: bytes, words: Sequence[str], *, whole: Collection[str] = (), first: str | None = None
) -> bytes:
    """The model with heedful's four marks and then these words, in this order. Text is cut as
    before: a word that was no piece of the model is none now, but for single characters, which are
    taken where there was nothing for them. `whole` are never cut; `first` begins every text, and
    is found in none."""
    scores = scores_of_pieces(model)
    last_resort = min(scores.values(), default=0.0) - _UNKNOWN_PENALTY
    scores |= {word: last_resort for word in words if len(word) == 1 and word not in scores}
    marks = {PAD: "<pad>", UNK: "<unk>", BOS: "<s>", EOS: "</s>"}
    pieces = [
        _piece(marks[mark], 0.0, _UNKNOWN if mark == UNK else _CONTROL)
        for mark in range(FIRST_WORD)
    ]
    spells = set(_BYTES) <= set(words)
    kinds = dict.fromkeys(scores, _NORMAL) | dict.fromkeys(whole, _WHOLE)
    kinds |= dict.fromkeys(_BYTES, _BYTE if spells and _is_speller(model) else _UNUSED)
    kinds |= {first: _CONTROL} if first else {}
    pieces += [_piece(word, scores.get(word, 0.0), kinds.get(word, _UNUSED)) for word in words]
    out = [content(_FIRST, first)] if first else []
    for field in fields(model):
        if field.number == _TRAINER_SPEC and isinstance(field.value, bytes):
            ours = {_VOCABULARY_SIZE, *_SPECIAL_IDS.values(), *([] if spells else [_SPELLS])}
            kept = b"".join(f.raw for f in fields(field.value) if f.number not in ours)
            kept += number(_VOCABULARY_SIZE, len(pieces))
            kept += b"".join(number(place, mark) for mark, place in _SPECIAL_IDS.items())
            out.append(content(_TRAINER_SPEC, kept))
        elif field.number not in (_PIECES, _FIRST):
            out.append(field.raw)
    return b"".join([*(content(_PIECES, piece) for piece in pieces), *out])


def _is_speller(model: bytes) -> bool:
    """Whether it spells in bytes what it has no piece for."""
    return any(
        of_trainer.number == _SPELLS and of_trainer.value == 1
        for field in fields(model)
        if field.number == _TRAINER_SPEC and isinstance(field.value, bytes)
        for of_trainer in fields(field.value)
    )


def _piece(text: str, score: float, kind: int) -> bytes:
    return (
        content(_PIECE, text.encode())
        + four_bytes(_SCORE, struct.pack("<f", score))
        + number(_TYPE, kind)
    )


def _without(unwanted: int, model: bytes) -> bytes:
    """Leaves a field of the normalizer out."""
    out = []
    for field in fields(model):
        raw = field.raw
        if field.number == _NORMALIZER_SPEC and isinstance(field.value, bytes):
            kept = b"".join(f.raw for f in fields(field.value) if f.number != unwanted)
            raw = content(_NORMALIZER_SPEC, kept)
        out.append(raw)
    return b"".join(out)

"""A tokenizer as `tokenizer.json`, the only kind that transformers.js reads."""

from __future__ import annotations

from typing import Any

import sentencepiece

from heedful.text.special import BOS, EOS, PAD, SPACE, UNK
from heedful.text.tokenizer import Tokenizer

TRICKY = "ﬁ  ½"  # what rules of others would alter


def fast_tokenizer(tokenizer: Tokenizer) -> dict[str, Any] | None:
    """Its content; None if the tokenizer is of another kind than heedful learns unless told:
    subwords of a unigram model, of text in NFC."""
    model = sentencepiece.SentencePieceProcessor(model_proto=tokenizer.to_bytes())
    ids = range(len(tokenizer))
    scores = [float(model.get_score(n)) for n in ids]
    plain = model.normalize(TRICKY).lstrip(SPACE) == TRICKY.replace(" ", SPACE)
    other = tokenizer.kind != "subwords" or tokenizer.jamo or tokenizer.first
    if other or not plain or not _is_unigram(scores):
        return None
    pieces = tokenizer.vocabulary
    end = pieces[EOS]
    return {
        "version": "1.0",
        "added_tokens": [_mark(n, pieces[n]) for n in sorted((PAD, UNK, BOS, EOS))],
        "normalizer": {"type": "NFC"},
        "pre_tokenizer": {
            "type": "Metaspace", "replacement": SPACE, "prepend_scheme": "always", "split": False,
        },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [_sequence("A"), _special(end)],
            "pair": [_sequence("A"), _sequence("B"), _special(end)],
            "special_tokens": {end: {"id": end, "ids": [EOS], "tokens": [end]}},
        },
        "decoder": {
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": {"String": SPACE}, "content": " "},
                {"type": "ByteFallback"},
                {"type": "Fuse"},
                {"type": "Strip", "content": " ", "start": 1, "stop": 0},
            ],
        },
        "model": {
            "type": "Unigram", "unk_id": UNK, "byte_fallback": True,
            "vocab": [[pieces[n], scores[n]] for n in ids],
        },
    }  # fmt: skip


def _is_unigram(scores: list[float]) -> bool:
    """Its scores are logarithms of probabilities; those of BPE are 0, -1, -2, …"""
    return any(score != int(score) for score in scores)


def _mark(n: int, piece: str) -> dict[str, Any]:
    no = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": n, "content": piece, "special": True} | no


def _sequence(name: str) -> dict[str, Any]:
    return {"Sequence": {"id": name, "type_id": 0}}


def _special(piece: str) -> dict[str, Any]:
    return {"SpecialToken": {"id": piece, "type_id": 0}}

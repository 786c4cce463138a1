"""`tokenizer.json`: Hugging Face's tokenizers cuts text with it as heedful does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tokenizers

from heedful.exports.fast_tokenizer import fast_tokenizer
from heedful.text.special import EOS, TokenKind
from heedful.text.tokenizer import Tokenizer

from ..trained import sentences

TEXTS = [source for source, _ in sentences()[:20]] + [
    "Zebras aren't known here , nor is 日本.",
    "two  spaces",
    "caf\u00e9 and cafe\u0301",
    "ﬁ ½ ʰ",
]


def test_the_same_ids_and_the_same_text(tmp_path: Path) -> None:
    ours = Tokenizer.learn(source for source, _ in sentences())
    (tmp_path / "tokenizer.json").write_text(json.dumps(fast_tokenizer(ours)), encoding="utf-8")
    theirs = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    for text in TEXTS:
        ids = ours.encode(text)
        assert theirs.encode(text).ids == [*ids, EOS]
        assert theirs.decode([*ids, EOS]) == ours.decode(ids)


@pytest.mark.parametrize("kind", ["chars", "words"])
def test_other_kinds_have_none(kind: TokenKind) -> None:
    lines = [source for source, _ in sentences()]
    assert fast_tokenizer(Tokenizer.learn(lines, kind=kind)) is None


def test_other_subwords_have_none() -> None:
    lines = [source for source, _ in sentences()]
    assert fast_tokenizer(Tokenizer.learn(lines, algorithm="bpe")) is None
    assert fast_tokenizer(Tokenizer.learn([*lines, "한국어 문장"], jamo=True)) is None

"""Cutting each word but once gives SentencePiece's own ids, whatever the text."""

from __future__ import annotations

from pathlib import Path

import pytest
import sentencepiece
from hypothesis import example, given, settings
from hypothesis import strategies as st

from heedful.text.bulk import encoder as bulk
from heedful.text.bulk.encoder import BulkEncoder
from heedful.text.bulk.packed import Packed
from heedful.text.config import Algorithm
from heedful.text.tidy import tidy
from heedful.text.tokenizer import Tokenizer

from ..conftest import LINES
from ..test_tokenizer import ANY_TEXT, TRICKY

KINDS = ["unigram", "bpe", "chars", "words"]
KNOWN = st.lists(st.sampled_from(" ".join(LINES).split(" ")), max_size=12).map(" ".join)
MIXED = st.lists(KNOWN | ANY_TEXT, max_size=4).map(" ".join)


def as_lists(packed: Packed) -> list[list[int]]:
    ids, ends = packed.ids.tolist(), packed.lengths.cumsum().tolist()
    return [ids[a:b] for a, b in zip([0, *ends], ends, strict=False)]


@pytest.fixture(autouse=True)
def _few_lines_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "STEP", 3)


@pytest.mark.parametrize("name", KINDS)
def test_any_text(tokenizers: dict[str, Tokenizer], name: str) -> None:
    tokenizer = tokenizers[name]
    encoder = BulkEncoder(tokenizer.to_bytes())

    @given(st.lists(MIXED, max_size=9))
    @settings(deadline=None, max_examples=400)
    @example([line for pair in zip(TRICKY, LINES * 3, strict=False) for line in pair])
    def check(texts: list[str]) -> None:
        lines = [line for text in texts if (line := tidy(text.replace("\n", " ")))]
        for line, found in zip(lines, as_lists(encoder.encode(lines)), strict=True):
            wanted = tokenizer.encode(line)
            assert found == wanted or (name == "unigram" and is_a_tie(tokenizer, found, wanted))

    check()


def is_a_tie(tokenizer: Tokenizer, one: list[int], other: list[int]) -> bool:
    """Whether a unigram model can only by rounding prefer one cut to the other."""
    scores = sentencepiece.SentencePieceProcessor(model_proto=tokenizer.to_bytes()).get_score
    same_text = tokenizer.decode(one) == tokenizer.decode(other)
    as_probable = abs(sum(map(scores, one)) - sum(map(scores, other))) < 0.001
    return same_text and as_probable


def test_hangul_letter_by_letter() -> None:
    lines = ["한국어 문장 하나", "문장 하나 둘", "하나 a 국"]
    algorithms: tuple[Algorithm, ...] = "bpe", "unigram"
    for algorithm in algorithms:
        tokenizer = Tokenizer.learn(lines, algorithm=algorithm, jamo=True)
        encoded = BulkEncoder(tokenizer.to_bytes()).encode(lines)
        assert as_lists(encoded) == [tokenizer.encode(line) for line in lines]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What SentencePiece was asked for, sorted at each time."""
    asked, original = list[str](), Tokenizer.encode_batch

    def listen(self: Tokenizer, texts: list[str], **options: int) -> list[list[int]]:
        asked.extend(sorted(texts))
        return original(self, texts, **options)

    monkeypatch.setattr(Tokenizer, "encode_batch", listen)
    return asked


def test_a_word_is_asked_for_once(tokenizers: dict[str, Tokenizer], asked: list[str]) -> None:
    tokenizer = tokenizers["bpe"]
    encoder = BulkEncoder(tokenizer.to_bytes())
    lines = ["the cat sat", "cat", "the cat", "the dog sat", "the  cat", "dog"]  # three at a time
    assert as_lists(encoder.encode(lines)) == [tokenizer.encode(line) for line in lines]
    assert asked == ["cat", "sat", "the", "dog"]
    assert as_lists(encoder.encode([])) == []


def test_too_many_words_are_forgotten(
    tokenizers: dict[str, Tokenizer], asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "MOST_WORDS", 5)
    tokenizer = tokenizers["unigram"]
    encoder = BulkEncoder(tokenizer.to_bytes())
    lines = ["a b c", "d e", "f", "g", "a", "g"]
    assert as_lists(encoder.encode(lines)) == [tokenizer.encode(line) for line in lines]
    assert asked == ["a", "b", "c", "d", "e", "f", "a", "g"]


@pytest.mark.data
@pytest.mark.parametrize("algorithm", ["unigram", "bpe"])
def test_multi30k(data_folder: Path, algorithm: Algorithm, monkeypatch: pytest.MonkeyPatch) -> None:
    """No word there has two cuts that only rounding tells apart."""
    monkeypatch.undo()
    lines = [
        tidy(line)
        for side in ("en", "de")
        for line in (data_folder / "multi30k" / f"train.{side}").read_text().splitlines()
    ]
    tokenizer = Tokenizer.learn(lines, algorithm=algorithm)
    encoded = BulkEncoder(tokenizer.to_bytes()).encode(lines)
    assert as_lists(encoded) == tokenizer.encode_batch(lines)

"""Looking words up gives SentencePiece's own ids, whatever the text."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.text import bulk
from heedful.text.bulk import BulkEncoder
from heedful.text.config import Algorithm
from heedful.text.packed import Packed
from heedful.text.tidy import tidy
from heedful.text.tokenizer import Tokenizer

from .conftest import LINES
from .test_tokenizer import ANY_TEXT, TRICKY

KINDS = ["unigram", "bpe", "chars", "words"]
KNOWN = st.lists(st.sampled_from(" ".join(LINES).split(" ")), max_size=12).map(" ".join)
MIXED = st.lists(KNOWN | ANY_TEXT, max_size=4).map(" ".join)


def as_lists(packed: Packed) -> list[list[int]]:
    ids, ends = packed.ids.tolist(), packed.lengths.cumsum().tolist()
    return [ids[a:b] for a, b in zip([0, *ends], ends, strict=False)]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words are learnt at once, in steps of a few lines: every path is taken."""
    monkeypatch.setattr(bulk, "OFTEN", 1)
    monkeypatch.setattr(bulk, "STEP", 3)
    monkeypatch.setattr(bulk, "PAUSE", 1)


@pytest.mark.parametrize("name", KINDS)
def test_any_text(tokenizers: dict[str, Tokenizer], name: str) -> None:
    tokenizer = tokenizers[name]
    encoder = BulkEncoder(tokenizer)

    @given(st.lists(MIXED, max_size=9))
    @settings(deadline=None, max_examples=400)
    def check(texts: list[str]) -> None:
        lines = [tidy(text.replace("\n", " ")) for text in texts]
        assert as_lists(encoder.encode(lines)) == [tokenizer.encode(line) for line in lines]

    check()


@pytest.mark.parametrize("name", KINDS)
def test_tricky_text_between_known_lines(tokenizers: dict[str, Tokenizer], name: str) -> None:
    tokenizer = tokenizers[name]
    encoder = BulkEncoder(tokenizer)
    odd = [tidy(text.replace("\n", "\r")) for text in TRICKY]
    lines = [line for pair in zip(odd, LINES * 3, strict=False) for line in pair]
    for _ in range(3):  # the second time words are known
        assert as_lists(encoder.encode(lines)) == [tokenizer.encode(line) for line in lines]
    assert as_lists(encoder.encode([])) == []


def test_known_words_are_looked_up(
    tokenizers: dict[str, Tokenizer], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = LINES[:1] * 4
    encoder = BulkEncoder(tokenizers["unigram"])
    first = as_lists(encoder.encode(lines))

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("SentencePiece was asked")

    monkeypatch.setattr(Tokenizer, "encode_batch", refuse)
    assert as_lists(encoder.encode(lines)) == first


def test_long_lines_go_to_sentencepiece(
    tokenizers: dict[str, Tokenizer], monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenizer, asked = tokenizers["unigram"], list[str]()
    encoder = BulkEncoder(tokenizer)
    encoder.encode(["the cat"] * 4)
    original = Tokenizer.encode_batch

    def listen(self: Tokenizer, texts: list[str], **options: int) -> list[list[int]]:
        asked.extend(texts)
        return original(self, texts, **options)

    monkeypatch.setattr(Tokenizer, "encode_batch", listen)
    long = " ".join(["the cat"] * 1000)
    assert as_lists(encoder.encode(["the cat", long])) == [
        tokenizer.encode("the cat"), tokenizer.encode(long)
    ]  # fmt: skip
    assert asked == [long]


def test_what_is_remembered_is_bounded(
    tokenizers: dict[str, Tokenizer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "MOST_WORDS", 20)
    monkeypatch.setattr(bulk, "OFTEN", 2)
    tokenizer, draw = tokenizers["bpe"], random.Random(1)
    encoder = BulkEncoder(tokenizer)
    letters = "abcdefgh"
    for _ in range(20):
        lines = [" ".join(draw.choices(letters, k=2)) + draw.choice(letters) for _ in range(30)]
        assert as_lists(encoder.encode(lines)) == [tokenizer.encode(line) for line in lines]
    assert len(encoder._words) <= 20 + 6 * bulk.STEP
    assert len(encoder._met) <= 20 + 6 * bulk.STEP


@pytest.mark.data
@pytest.mark.parametrize("algorithm", ["unigram", "bpe"])
def test_multi30k(data_folder: Path, algorithm: Algorithm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    lines = [
        tidy(line)
        for side in ("en", "de")
        for line in (data_folder / "multi30k" / f"train.{side}").read_text().split("\n")
    ]
    tokenizer = Tokenizer.learn(lines, algorithm=algorithm)
    assert as_lists(BulkEncoder(tokenizer).encode(lines)) == tokenizer.encode_batch(lines)

"""Looking words up gives SentencePiece's own ids, whatever the text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from heedful.text import bulk
from heedful.text.bulk import BulkEncoder
from heedful.text.config import Algorithm
from heedful.text.packed import Packed
from heedful.text.tidy import tidy
from heedful.text.tokenizer import Tokenizer
from heedful.text.word_table import word_table

from .conftest import LINES
from .test_tokenizer import ANY_TEXT, TRICKY

KINDS = ["unigram", "bpe", "chars", "words"]
KNOWN = st.lists(st.sampled_from(" ".join(LINES).split(" ")), max_size=12).map(" ".join)
MIXED = st.lists(KNOWN | ANY_TEXT, max_size=4).map(" ".join)


def as_lists(packed: Packed) -> list[list[int]]:
    ids, ends = packed.ids.tolist(), packed.lengths.cumsum().tolist()
    return [ids[a:b] for a, b in zip([0, *ends], ends, strict=False)]


def bulk_encoder(tokenizer: Tokenizer, lines: list[str] = LINES) -> BulkEncoder:
    """One that knows all words of these lines that it may."""
    return BulkEncoder(tokenizer.to_bytes(), word_table(tokenizer, lines * 2, growth=1000))


@pytest.fixture(autouse=True)
def _few_lines_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "STEP", 3)


@pytest.mark.parametrize("name", KINDS)
def test_any_text(tokenizers: dict[str, Tokenizer], name: str) -> None:
    tokenizer = tokenizers[name]
    encoder = bulk_encoder(tokenizer)

    @given(st.lists(MIXED, max_size=9))
    @settings(deadline=None, max_examples=400)
    @example([line for pair in zip(TRICKY, LINES * 3, strict=False) for line in pair])
    def check(texts: list[str]) -> None:
        lines = [tidy(text.replace("\n", " ")) for text in texts]
        assert as_lists(encoder.encode(lines)) == [tokenizer.encode(line) for line in lines]

    check()


def test_known_words_are_looked_up(
    tokenizers: dict[str, Tokenizer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """But not lines that are too long, nor what stands before an unknown word."""
    tokenizer, asked = tokenizers["unigram"], list[str]()
    known, long = "the cat sat", " ".join(["the cat sat"] * 1000)
    encoder = bulk_encoder(tokenizer, [known])
    original = Tokenizer.encode_batch

    def listen(self: Tokenizer, texts: list[str], **options: int) -> list[list[int]]:
        asked.extend(texts)
        return original(self, texts, **options)

    lines = [known, long, "cat", "the dog sat", known, "the  cat", known, known]
    wanted = [tokenizer.encode(line) for line in lines]
    monkeypatch.setattr(Tokenizer, "encode_batch", listen)
    assert as_lists(encoder.encode(lines)) == wanted
    assert asked == [long, "the dog", "the "]
    assert as_lists(encoder.encode([])) == []


@pytest.mark.data
@pytest.mark.parametrize("algorithm", ["unigram", "bpe"])
def test_multi30k(data_folder: Path, algorithm: Algorithm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr("heedful.text.word_table.WORTHWHILE", 0)
    monkeypatch.setattr("heedful.text.word_table.SAMPLE", 60_000)  # as many words as there are
    lines = [
        tidy(line)
        for side in ("en", "de")
        for line in (data_folder / "multi30k" / f"train.{side}").read_text().split("\n")
    ]
    tokenizer = Tokenizer.learn(lines, algorithm=algorithm)
    encoder = BulkEncoder(tokenizer.to_bytes(), word_table(tokenizer, lines, growth=100))
    assert len(encoder._words) > 10_000
    assert as_lists(encoder.encode(lines)) == tokenizer.encode_batch(lines)

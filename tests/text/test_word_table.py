from __future__ import annotations

import numpy as np
import pytest

from heedful.text import word_table as module
from heedful.text.tokenizer import Tokenizer
from heedful.text.word_table import word_table

LINES = ["the cat sat"] * 39 + ["the dog \u0378"]


def test_words_that_come_often_and_are_certain(tokenizers: dict[str, Tokenizer]) -> None:
    tokenizer = tokenizers["unigram"]
    table = word_table(tokenizer, LINES, growth=100)
    assert table.keys() == {"the", "cat", "sat"}
    assert np.frombuffer(table["cat"], np.uint16).tolist() == tokenizer.encode("cat")


def test_what_would_not_pay(tokenizers: dict[str, Tokenizer]) -> None:
    assert word_table(tokenizers["unigram"], LINES, growth=4) == {}  # 160 times are too few
    names = [f"the cat sat{n}" for n in range(99)]  # every line ends with a word of its own
    assert word_table(tokenizers["unigram"], names, growth=1000) == {}
    assert word_table(tokenizers["chars"], LINES, growth=1000) == {}
    assert word_table(tokenizers["bpe"], [], growth=1000) == {}


def test_a_large_sample_is_thinned_and_the_table_bounded(
    tokenizers: dict[str, Tokenizer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SAMPLE", 20)
    monkeypatch.setattr(module, "MOST_WORDS", 2)
    monkeypatch.setattr(module, "WORTHWHILE", 0)
    assert len(word_table(tokenizers["bpe"], ["the cat sat"] * 100, growth=3)) == 2

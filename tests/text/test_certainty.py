"""Of certain words it is claimed that nothing which stands before them changes their ids."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.text.certainty import LARGEST_SUM, ROUNDING, Certainty
from heedful.text.special import SPACE
from heedful.text.tokenizer import Tokenizer

from .conftest import LINES

WORDS = st.text(sorted(set("".join(LINES))), min_size=1, max_size=12) | st.sampled_from(
    "".join(LINES).split()
)


@pytest.mark.parametrize("name", ["unigram", "bpe"])
def test_a_certain_word_is_cut_alike_behind_anything(
    tokenizers: dict[str, Tokenizer], name: str
) -> None:
    tokenizer = tokenizers[name]
    certainty = Certainty(tokenizer)
    assert certainty.holds

    @given(WORDS, st.lists(WORDS, max_size=60))
    @settings(deadline=None, max_examples=400)
    def check(word: str, before: list[str]) -> None:
        line = " ".join([*before, word])
        if certainty.is_certain(word) and len(line) < certainty.longest_line and SPACE not in line:
            ids = tokenizer.encode(word)
            assert tokenizer.encode(line)[-len(ids) :] == ids

    check()


def test_what_is_never_certain(tokenizers: dict[str, Tokenizer]) -> None:
    certainty = Certainty(tokenizers["unigram"])
    assert certainty.is_certain("the")
    for word in ("", "\u0378", "the▁cat", "the cat", "\U0001f44d", "the" * 20, "\t"):
        assert not certainty.is_certain(word)
    for name in ("chars", "words"):
        assert not Certainty(tokenizers[name]).holds


def test_the_lead_is_that_of_sentencepiece(tokenizers: dict[str, Tokenizer]) -> None:
    """Its own two best cuts, and their log probabilities."""
    tokenizer = tokenizers["unigram"]
    certainty, chances = Certainty(tokenizer), tokenizer.log_probabilities()
    assert chances is not None
    for word in ("the", "cat", "quốc", "rivière", "literally"):
        both = tokenizer._processor.nbest_encode(word, nbest_size=2, out_type=int)
        first, *second = [sum(chances[piece] for piece in tokenizer.pieces(ids)) for ids in both]
        wanted = first - second[0] if second else math.inf
        assert certainty._lead(word) == pytest.approx(wanted, abs=1e-4)


def test_a_close_race_is_not_certain(
    tokenizers: dict[str, Tokenizer], monkeypatch: pytest.MonkeyPatch
) -> None:
    chances = {"▁": -1.0, "a": -2.0, "b": -3.0, "▁a": -2.5, "ab": -4.5}
    monkeypatch.setattr(Tokenizer, "log_probabilities", lambda _: chances)
    certainty = Certainty(tokenizers["unigram"])
    assert certainty._lead("ab") == 0  # ▁a b and ▁ ab
    assert not certainty.is_certain("ab")
    assert certainty._lead("a") == 0.5
    assert certainty.is_certain("a")


def test_the_rounding_is_that_of_32_bits() -> None:
    below = np.nextafter(np.float32(LARGEST_SUM), np.float32(0))
    assert float(np.spacing(below)) / 2 == ROUNDING

from __future__ import annotations

import time

import pytest

from heedful.errors import InputError, RecipeError
from heedful.text.config import Algorithm
from heedful.text.special import TokenKind
from heedful.text.tokenizer import Tokenizer

from .conftest import LINES


def test_learning_is_deterministic(tokenizers: dict[str, Tokenizer]) -> None:
    for name in ("unigram", "bpe"):
        again = Tokenizer.learn(iter(LINES), algorithm="bpe" if name == "bpe" else "unigram")
        assert again.digest == tokenizers[name].digest
    assert tokenizers["bpe"].digest != tokenizers["unigram"].digest


@pytest.mark.parametrize("algorithm", ["unigram", "bpe"])
def test_least_size_is_told_and_works(algorithm: Algorithm) -> None:
    # 4 special tokens, 256 bytes, the space, and a b c d e
    with pytest.raises(RecipeError, match=r"of 265 subwords is too small.*at least 266\. Set voc"):
        Tokenizer.learn(["ab cd e"], algorithm=algorithm, size=265)
    assert len(Tokenizer.learn(["ab cd e"], algorithm=algorithm, size=266)) == 266


def test_too_small_for_chars_and_words() -> None:
    with pytest.raises(RecipeError, match="at least 262"):
        Tokenizer.learn(["ab"], kind="chars", size=16)
    with pytest.raises(RecipeError, match="at least 5"):
        Tokenizer.learn(["ab"], kind="words", size=4)
    # The commoner half of the words, and of the characters.
    assert Tokenizer.learn(["a b c a b"], kind="words", size=6).vocabulary[4:] == ("▁a", "▁b")
    assert Tokenizer.learn(["aabbc"], kind="chars", size=262).vocabulary[-2:] == ("a", "b")


@pytest.mark.parametrize("kind", ["subwords", "chars", "words"])
def test_tiny_text_gives_a_small_vocabulary(kind: TokenKind) -> None:
    tokenizer = Tokenizer.learn(["a"], kind=kind, size=8000)
    assert len(tokenizer) < 300
    assert tokenizer.decode(tokenizer.encode("a")) == "a"


@pytest.mark.parametrize("lines", [[], [""], [" ", "\t"], ["\0", "▁"]])
def test_text_without_text_is_refused(lines: list[str]) -> None:
    with pytest.raises(InputError, match="without any text"):
        Tokenizer.learn(lines)


def test_size_is_chosen_from_the_data() -> None:
    # 61,009 distinct words in 247 distinct lines: 7 * sqrt(61009) = 1729
    words = [f"{a}{b}{c}{d}" for a in "btkm" for b in "aeiou" for c in "nrls" for d in "aeiou"]
    lines = [" ".join(words[(n * k) % 397] for k in range(247)) for n in range(247)]
    assert 300 < len(Tokenizer.learn(lines, algorithm="bpe")) <= 1736
    assert len(Tokenizer.learn(["ab cd"])) <= 304


def test_many_characters_are_not_all_kept() -> None:
    # 900 common characters and 600 that come once among 180,600.
    common = ["".join(map(chr, range(0x4E00 + 9 * k, 0x4E00 + 9 * k + 9))) for k in range(100)]
    lines = (
        [f"{word}{n}" for n in range(200) for word in common]
        + [chr(0x6000 + n) for n in range(60)]
        + [chr(0xAC00 + n) for n in range(540)]
    )
    tokenizer = Tokenizer.learn(lines, kind="chars")
    assert "\u4e00" in tokenizer.vocabulary
    assert 260 + 900 < len(tokenizer) < 260 + 1500
    assert tokenizer.decode(tokenizer.encode("\u6000\uac01\u4e01")) == "\u6000\uac01\u4e01"


@pytest.mark.parametrize("lines", [["ab" * 40_000, "abc" * 30_000], ["the same line"] * 20_000])
def test_text_that_repeats_itself_takes_no_time(lines: list[str]) -> None:
    start = time.perf_counter()
    Tokenizer.learn(lines)
    assert time.perf_counter() - start < 60


def test_words_of_long_lines_stay_whole() -> None:
    words = [f"word{n}" for n in range(1000)]
    assert set(Tokenizer.learn([" ".join(words)], kind="words").vocabulary[4:]) == {
        f"▁{word}" for word in words
    }

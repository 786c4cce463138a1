from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.errors import InputError
from heedful.evaluation import bleu, edit_distance, exact_match, word_error_rate


def test_perfect_text_scores_100() -> None:
    lines = ["the cat sat on the mat today", "a second line of some length"]
    assert bleu(lines, lines) == pytest.approx(100)
    assert exact_match(lines, lines) == 100
    assert word_error_rate(lines, lines) == 0


def test_bleu_by_hand() -> None:
    # Clipped matches / n-grams of the hypotheses, over both lines ("." is a token of its own):
    # the cat sat on a mat .  vs  the cat sat on the mat .   6/7 4/6 2/5 1/4
    # dogs bark loudly now    vs  dogs bark loudly now and then
    #                                                        4/4 3/3 2/2 1/1
    precisions = [10 / 11, 7 / 9, 4 / 7, 2 / 5]
    # 11 tokens against 7 + 6 = 13 in the references
    brevity = math.exp(1 - 13 / 11)
    expected = 100 * brevity * math.prod(precisions) ** (1 / 4)
    hypotheses = ["the cat sat on a mat.", "dogs bark loudly now"]
    references = ["the cat sat on the mat.", "dogs bark loudly now and then"]
    assert bleu(hypotheses, references) == pytest.approx(expected)


def test_bleu_is_cased() -> None:
    assert bleu(["The cat sat on the mat"], ["the cat sat on the mat"]) < 100


def test_bleu_is_that_of_sacrebleu() -> None:
    from sacrebleu import corpus_bleu

    hypotheses = ["Le chat dort, dit-il.", "Bonjour tout le monde !", ""]
    references = ["Le chat dort, dit-elle.", "Bonjour à tout le monde !", "vide"]
    assert bleu(hypotheses, references) == corpus_bleu(hypotheses, [references]).score


def test_exact_match_forgives_only_space_around_the_line() -> None:
    assert exact_match(["a b ", "a  b", "A b", "a b"], ["a b"] * 4) == 50


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("kitten", "sitting", 3),
        ("intention", "execution", 5),
        ("", "abc", 3),
        ("abc", "", 3),
        ("", "", 0),
        ("flaw", "lawn", 2),
    ],
)
def test_known_edit_distances(a: str, b: str, expected: int) -> None:
    assert edit_distance(a, b) == expected
    assert edit_distance(list(a), list(b)) == expected


words = st.lists(st.sampled_from("abc"), max_size=7)


@given(words, words, words)
def test_edit_distance_is_a_metric(a: list[str], b: list[str], c: list[str]) -> None:
    assert edit_distance(a, b) == edit_distance(b, a)
    assert (edit_distance(a, b) == 0) == (a == b)
    assert edit_distance(a, c) <= edit_distance(a, b) + edit_distance(b, c)


def test_word_error_rate_is_edits_over_reference_words() -> None:
    # 1 substitution + 1 insertion over 3 + 2 words: the corpus is pooled, lines are not averaged
    assert word_error_rate(["a x c", "d e f"], ["a b c", "d e"]) == pytest.approx(40)
    # more edits than words: above 100
    assert word_error_rate(["x y z"], ["a"]) == pytest.approx(300)


def test_word_error_rate_without_reference_words() -> None:
    with pytest.raises(InputError, match="0 words"):
        word_error_rate(["a"], ["  "])


@pytest.mark.parametrize("score", [bleu, exact_match, word_error_rate])
def test_unequal_and_empty_input(score: object) -> None:
    assert callable(score)
    with pytest.raises(InputError, match="2 hypotheses and 3 references"):
        score(["a"] * 2, ["a"] * 3)
    with pytest.raises(InputError, match="no lines"):
        score([], [])

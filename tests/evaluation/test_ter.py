from __future__ import annotations

import random

import pytest

from heedful.evaluation import compare, evaluate
from heedful.evaluation.pairs import Pairs
from heedful.evaluation.ter import TOO_SLOW, make_ter, takes_long

LONG = " ".join(["word"] * 300)


def test_ter_by_hand() -> None:
    # "c d" is moved (1 edit) and x becomes y (1 edit), over 6 + 2 reference words
    report = evaluate(["c d a b e x", "F g"], ["a b c d e y", "f g"], words=False, bootstrap=0)
    assert report.ter is not None
    assert report.ter.value == pytest.approx(100 * 2 / 8)
    assert "case:lc" in report.ter.signature


def test_ter_and_its_interval_are_those_of_sacrebleu() -> None:
    from sacrebleu import TER

    draw = random.Random(5)
    words = [f"w{i}" for i in range(13)]
    references = [" ".join(draw.choices(words, k=11)) for _ in range(37)]
    hypotheses = [" ".join(draw.sample(line.split(), 11)) for line in references]
    metric = TER()
    expected = metric.corpus_score(hypotheses, [references], n_bootstrap=53)
    score = evaluate(hypotheses, references, words=False, bootstrap=53).ter
    assert score is not None
    assert score.value == expected.score
    assert score.confidence == pytest.approx(expected._ci)
    assert score.signature == str(metric.get_signature())


def test_references_may_be_empty_in_some_resamples() -> None:
    score = evaluate(["a", "b", "c d"], ["", "", "c x"], words=False, bootstrap=100).ter
    assert score is not None
    assert score.value == pytest.approx(150)


def test_chinese_and_japanese_are_cut_into_characters() -> None:
    pairs = Pairs(["我喜欢猫"], ["我喜欢狗"])
    for tokenize, expected in (("13a", 100), ("zh", 25)):
        metric = make_ter(tokenize)  # type: ignore[arg-type]
        assert metric.corpus_score(pairs.hypotheses, [pairs.references]).score == expected


def test_long_lines_are_left_out_unless_wanted() -> None:
    pairs = Pairs([LONG] * 70, [LONG] * 70)
    assert takes_long([pairs], "13a")
    assert not takes_long([Pairs([LONG] * 60, ["a"] * 60)], "13a")
    assert takes_long([Pairs([LONG] * 35, ["a"] * 35), Pairs(["a"] * 35, [LONG] * 35)], "13a")
    assert not takes_long([Pairs(["字" * 300] * 70, ["字"] * 70)], "13a")
    assert takes_long([Pairs(["字" * 300] * 70, ["字"] * 70)], "zh")

    def report(ter: bool | None) -> tuple[bool, tuple[str, ...]]:
        found = evaluate([LONG] * 70, [LONG] * 70, words=False, bootstrap=0, ter=ter)
        return found.ter is not None, found.notes

    assert report(None) == (False, (TOO_SLOW,))
    assert report(ter=True) == (True, ())
    assert report(ter=False) == (False, ())
    systems = {"a": [LONG] * 35, "b": [LONG] * 35}
    comparison = compare(systems, [LONG] * 35, trials=9, bootstrap=0)
    assert [metric.name for metric in comparison.metrics] == ["BLEU", "chrF"]
    assert comparison.notes == (TOO_SLOW,)

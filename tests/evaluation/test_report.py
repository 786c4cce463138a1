from __future__ import annotations

import json
import os
import random

import pytest

from heedful.errors import InputError
from heedful.evaluation import evaluate
from heedful.evaluation.names import Tokenize
from heedful.evaluation.report import wilson

REFERENCES = [f"line {i} says the number {i * i} twice , or so" for i in range(40)]
HYPOTHESES = [line.replace("twice", "once") if i % 4 else line for i, line in enumerate(REFERENCES)]


def test_scores_and_intervals_are_those_of_sacrebleu() -> None:
    from sacrebleu import BLEU, CHRF

    report = evaluate(HYPOTHESES, REFERENCES, words=False, bootstrap=53)
    for score, metric in ((report.bleu, BLEU()), (report.chrf, CHRF())):
        expected = metric.corpus_score(HYPOTHESES, [REFERENCES], n_bootstrap=53)
        assert score.value == expected.score
        assert score.confidence == pytest.approx(expected._ci)
        assert score.signature == str(metric.get_signature())
        assert "bs:53|seed:12345" in score.signature
        assert score.interval is not None
        assert score.interval[0] < score.value < score.interval[1]
        assert score.interval[1] - score.interval[0] == pytest.approx(2 * expected._ci)


@pytest.mark.parametrize("nothing", ["", "q"])
def test_most_lines_may_match_in_nothing(nothing: str) -> None:
    """In some of the resamples all do."""
    hypotheses = [nothing] * 9 + ["abcdefgh"]
    score = evaluate(hypotheses, ["xyz uvw"] * 9 + ["abcdefgh"], words=False).chrf
    assert score.value > 0
    assert score.confidence is not None
    assert score.confidence > 0


def test_line_and_word_errors_are_kept_apart() -> None:
    report = evaluate(["a b c d", "a b c x"], ["a b c d"] * 2, words=True, bootstrap=0)
    assert report.n_lines == 2
    assert report.exact_match.value == 50
    assert report.line_error_rate.value == 50
    assert report.word_error_rate is not None
    assert report.word_error_rate.value == pytest.approx(100 / 8)
    assert report.bleu.confidence is None


def test_word_error_rate_only_for_words() -> None:
    assert evaluate(["a"], ["a"], words=False, bootstrap=0).word_error_rate is None


def test_wilson_by_hand() -> None:
    # 8 of 10 right: the textbook interval
    assert wilson(8, 10) == pytest.approx((49.02, 94.33), abs=0.01)
    low, high = wilson(0, 10)
    assert low == 0
    assert high == pytest.approx(100 * 3.8416 / 13.8416, abs=0.01)  # z² / (n + z²)
    assert wilson(10, 10) == pytest.approx((100 - high, 100))


def test_report_is_json() -> None:
    report = evaluate(HYPOTHESES, REFERENCES, words=True, bootstrap=11)
    data = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert data["n_lines"] == 40
    assert data["bleu"]["value"] == report.bleu.value
    assert data["ter"]["value"] == pytest.approx(100 * 30 / (40 * 10))  # a word of three in four
    assert data["exact_match"]["value"] == 25
    assert data["line_error_rate"]["value"] == 75
    assert data["word_error_rate"]["value"] == pytest.approx(100 * 30 / 360, rel=0.3)


def test_repeats_with_a_seed_and_leaves_the_environment_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shuffled = random.Random(3).sample(REFERENCES, 40)

    def half_width(seed: int) -> float | None:
        report = evaluate(shuffled, REFERENCES, words=False, bootstrap=31, seed=seed)
        return report.chrf.confidence

    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    first = half_width(7)
    assert "SACREBLEU_SEED" not in os.environ
    monkeypatch.setenv("SACREBLEU_SEED", "none")
    assert half_width(7) == first
    assert half_width(8) != first
    assert os.environ["SACREBLEU_SEED"] == "none"


def test_refusals() -> None:
    with pytest.raises(InputError, match="1 hypotheses and 2 references"):
        evaluate(["a"], ["a", "b"], words=False)
    with pytest.raises(InputError, match="no lines"):
        evaluate([], [], words=False)
    with pytest.raises(InputError, match="seed 0"):
        evaluate(["a"], ["a"], words=False, seed=0)


def test_tokenised_text_is_noticed() -> None:
    lines = ["a sentence that ends so ."] * 100
    assert "100 lines" in evaluate(lines, lines, words=False, bootstrap=0).notes[0]
    assert evaluate(lines[1:], lines[1:], words=False, bootstrap=0).notes == ()


@pytest.mark.parametrize("tokenize", ["char", "none"])
def test_words_for_bleu_are_cut_as_asked(tokenize: Tokenize) -> None:
    from sacrebleu import BLEU

    glued = [line.replace(" ,", ",") for line in HYPOTHESES]
    report = evaluate(glued, REFERENCES, words=False, tokenize=tokenize, bootstrap=0)
    assert report.bleu.value == BLEU(tokenize=tokenize).corpus_score(glued, [REFERENCES]).score
    assert f"tok:{tokenize}" in report.bleu.signature
    assert report.bleu.value != evaluate(glued, REFERENCES, words=False, bootstrap=0).bleu.value

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest

from heedful.evaluation import bleu, chrf, compare, evaluate, exact_match, word_error_rate
from heedful.evaluation.pairs import Pairs

KOREAN = ["고양이가 방에서 잠을 잔다.", "우리는 내일 아침에 학교에 간다.", "나는 한국어를 배운다."]
GERMAN = ["Zwei Männer grüßen höflich.", "Ein Mädchen füttert müde Vögel.", "Äpfel für alle."]
REFERENCES = KOREAN + GERMAN
HYPOTHESES = [line.replace("가", "는").replace("müde", "zwei müde") for line in REFERENCES]
DECOMPOSED = [unicodedata.normalize("NFD", line) for line in REFERENCES]


def test_both_sides_are_normalised_as_training_text_is() -> None:
    pairs = Pairs([" a\u0301 \t", "\u1112\u1161\u11ab\u3000"], ["á", "한 "])
    assert pairs.hypotheses == pairs.references == ["á", "한"]
    assert len(pairs) == 2


@pytest.mark.parametrize("score", [bleu, chrf, exact_match, word_error_rate])
def test_scores_do_not_hang_on_how_a_file_is_normalised(
    score: Callable[[list[str], list[str]], float],
) -> None:
    assert DECOMPOSED != REFERENCES
    expected = score(HYPOTHESES, REFERENCES)
    assert 0 < expected < 100
    assert score(HYPOTHESES, DECOMPOSED) == expected
    decomposed = [unicodedata.normalize("NFD", line) for line in HYPOTHESES]
    assert score(decomposed, REFERENCES) == expected


def test_reports_do_not_hang_on_how_a_file_is_normalised() -> None:
    one, other = (
        evaluate(HYPOTHESES, references, words=True, bootstrap=13)
        for references in (REFERENCES, DECOMPOSED)
    )
    assert one == other


def test_comparisons_do_not_hang_on_how_a_file_is_normalised() -> None:
    systems = {"a": HYPOTHESES, "perfect": REFERENCES, "perfect in NFD": DECOMPOSED}
    one, other = (
        compare(systems, references, trials=99, bootstrap=13)
        for references in (REFERENCES, DECOMPOSED)
    )
    assert one == other
    for metric in one.metrics:
        _, composed, decomposed = metric.results
        assert (composed.value, composed.p_value) == (decomposed.value, decomposed.p_value)
        assert composed.value == pytest.approx(0 if metric.lower_is_better else 100)

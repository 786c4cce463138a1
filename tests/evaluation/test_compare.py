from __future__ import annotations

import json
import logging
import random

import pytest

from heedful.errors import InputError
from heedful.evaluation import Comparison, compare

VOCABULARY = [f"word{i}" for i in range(31)]


def _noisy(line: str, share: float, rng: random.Random) -> str:
    return " ".join(w if rng.random() > share else rng.choice(VOCABULARY) for w in line.split())


RNG = random.Random(11)
REFERENCES = [" ".join(RNG.choices(VOCABULARY, k=13)) for _ in range(61)]
GOOD = [_noisy(line, 0.1, RNG) for line in REFERENCES]
BAD = [_noisy(line, 0.4, RNG) for line in REFERENCES]


def _run(systems: dict[str, list[str]]) -> Comparison:
    return compare(systems, REFERENCES, trials=199, bootstrap=29)


def test_better_same_and_copy() -> None:
    comparison = _run({"bad": BAD, "good": GOOD, "copy": list(BAD)})
    assert comparison.baseline == "bad"
    assert [metric.name for metric in comparison.metrics] == ["BLEU", "chrF", "TER"]
    for metric in comparison.metrics:
        bad, good, copy = metric.results
        sign = -1 if metric.name == "TER" else 1
        assert metric.lower_is_better == (sign < 0)
        assert bad.delta is None
        assert bad.p_value is None
        assert good.delta is not None
        assert good.delta == pytest.approx(good.value - bad.value)
        assert sign * good.delta > 5
        assert good.p_value is not None
        assert good.p_value < 0.05
        assert copy.delta == 0
        assert copy.p_value == 1
        assert good.confidence is not None
        assert "ar:199" in metric.signature
        assert "bs:29" in metric.signature
        assert "seed:12345" in metric.signature


def test_values_are_those_of_sacrebleu() -> None:
    from sacrebleu import corpus_bleu, corpus_chrf, corpus_ter

    bleu, chrf, ter = _run({"bad": BAD, "good": GOOD}).metrics
    for row, hypotheses in zip((0, 1), (BAD, GOOD), strict=True):
        assert bleu.results[row].value == corpus_bleu(hypotheses, [REFERENCES]).score
        assert chrf.results[row].value == corpus_chrf(hypotheses, [REFERENCES]).score
        assert ter.results[row].value == corpus_ter(hypotheses, [REFERENCES]).score


def test_equally_good_systems_are_not_told_apart() -> None:
    """Each is good where the other is bad; one line makes their scores differ a little."""
    references = REFERENCES * 2
    first, second = [*BAD, *GOOD], [*GOOD, *BAD[:-1], REFERENCES[-1]]
    comparison = compare({"a": first, "b": second}, references, trials=199, bootstrap=0)
    for metric in comparison.metrics:
        assert metric.results[1].delta != 0
        p = metric.results[1].p_value
        assert p is not None
        assert p > 0.5


def test_one_differing_line_proves_nothing() -> None:
    """One line can be swapped in two ways, both as large as the difference seen: p = 1."""
    one_better = [REFERENCES[0], *BAD[1:]]
    for metric in _run({"bad": BAD, "one better": one_better}).metrics:
        assert (metric.results[1].value > metric.results[0].value) != metric.lower_is_better
        assert metric.results[1].p_value == 1


def test_repeats_and_is_json() -> None:
    first, second = (_run({"a": BAD, "b": GOOD}) for _ in range(2))
    assert first == second
    data = json.loads(json.dumps(first.to_dict(), allow_nan=False))
    assert data["n_lines"] == 61
    assert data["metrics"][0]["results"][1]["system"] == "b"


def test_quiet_and_level_put_back(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("sacrebleu")
    caplog.set_level(logging.INFO, logger="sacrebleu")
    _run({"a": BAD, "b": GOOD})
    assert not caplog.records
    assert logger.level == logging.INFO


def test_without_intervals() -> None:
    comparison = compare({"a": BAD, "b": GOOD}, REFERENCES, trials=19, bootstrap=0)
    assert all(row.confidence is None for m in comparison.metrics for row in m.results)


def test_refusals() -> None:
    with pytest.raises(InputError, match=r"'b'.*60 hypotheses and 61 references"):
        _run({"a": BAD, "b": GOOD[1:]})
    with pytest.raises(InputError, match="no lines"):
        compare({"a": [], "b": []}, [])
    with pytest.raises(InputError, match=r"got 1 system\(s\) to compare \(a\)"):
        _run({"a": BAD})


def test_tokenised_lines_are_taken_as_they_are() -> None:
    from sacrebleu import corpus_bleu

    ended = [[line + " ." for line in lines] * 2 for lines in (BAD, GOOD, REFERENCES)]
    systems = {"bad": ended[0], "good": ended[1]}
    bleu, *_ = compare(systems, ended[2], tokenize="none", trials=19, bootstrap=0).metrics
    expected = corpus_bleu(ended[1], [ended[2]], tokenize="none", force=True).score
    assert bleu.results[1].value == expected
    assert "tok:none" in bleu.signature
    assert compare(systems, ended[2], trials=19, bootstrap=0).notes  # they look tokenised
    assert not compare(systems, ended[2], tokenize="none", trials=19, bootstrap=0).notes

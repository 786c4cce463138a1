"""Is one system better than another, or was it luck? A paired test on the same lines.

The test is sacreBLEU's paired approximate randomisation (Riezler and Maxwell, 2005): if two
systems are equally good, swapping their outputs on randomly chosen lines should often give a
difference as large as the one seen. It is two-sided. sacreBLEU's other test, the paired
bootstrap, compares absolute differences that it has centred, which makes it one-sided in effect:
of 1000 synthetic pairs of equally good systems (80 lines, BLEU) it called 110 different at the
level of 5 %, this one 53.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from heedful.errors import InputError
from heedful.evaluation.names import Tokenize
from heedful.evaluation.notes import script_note, tokenized_note
from heedful.evaluation.pairs import Pairs
from heedful.evaluation.sacre import SEED, make_chrf, seeded_and_quiet
from heedful.evaluation.ter import TOO_SLOW, make_ter, takes_long
from heedful.evaluation.tokenizers import make_bleu


@dataclass(frozen=True)
class SystemResult:
    """One system under one metric."""

    system: str
    value: float
    confidence: float | None
    """Half the width of the 95 % confidence interval."""
    delta: float | None
    """Value minus that of the baseline; None for the baseline itself."""
    p_value: float | None
    """The chance of so large a difference between equally good systems; None for the baseline."""


@dataclass(frozen=True)
class MetricComparison:
    """All systems under one metric, the baseline first."""

    name: str
    signature: str
    results: tuple[SystemResult, ...]
    lower_is_better: bool = False


@dataclass(frozen=True)
class Comparison:
    """Systems side by side on one test set."""

    n_lines: int
    baseline: str
    metrics: tuple[MetricComparison, ...]
    notes: tuple[str, ...] = ()
    """Reasons to doubt the scores."""

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain values, for JSON."""
        return asdict(self)


def compare(
    systems: Mapping[str, Sequence[str]],
    references: Sequence[str],
    *,
    tokenize: Tokenize = "13a",
    ter: bool | None = None,
    trials: int = 10_000,
    bootstrap: int = 1000,
    seed: int = SEED,
) -> Comparison:
    """Test every system against the first one, in BLEU, chrF and TER. All text is normalised to NFC
    first.

    `ter` says whether TER is computed; by default it is, unless that would take minutes. `trials`
    is the number of random swappings; `bootstrap` that of the resamples behind the intervals, 0
    for none.
    """
    if len(systems) < 2:
        raise InputError(
            f"got {len(systems)} system(s) to compare ({', '.join(systems) or 'none'}), wanted two "
            "or more: name another run, or evaluate the one alone"
        )
    pairs = {
        name: Pairs(hypotheses, references, f"the hypotheses of {name!r}")
        for name, hypotheses in systems.items()
    }
    notes = _find_notes(pairs, tokenize)
    if ter is None and takes_long(pairs.values(), tokenize):
        ter, notes = False, (*notes, TOO_SLOW)
    metrics = {"BLEU": make_bleu(tokenize), "chrF": make_chrf()}
    if ter is not False:
        metrics["TER"] = make_ter(tokenize)
    results = _paired_test(pairs, metrics, trials, bootstrap, seed)
    return Comparison(len(references), next(iter(systems)), results, notes)


def _find_notes(systems: Mapping[str, Pairs], tokenize: Tokenize) -> tuple[str, ...]:
    """Notes on the text of each system, and on the references, which all have in common."""
    notes = []
    if tokenize != "none":
        found = {name: tokenized_note(pairs.hypotheses) for name, pairs in systems.items()}
        notes += [f"{name}: {note}" for name, note in found.items() if note is not None]
    of_references = script_note(next(iter(systems.values())).references)
    if tokenize == "13a" and of_references is not None:
        notes.append(of_references)
    return tuple(notes)


def _paired_test(
    systems: Mapping[str, Pairs],
    metrics: Mapping[str, Any],
    trials: int,
    bootstrap: int,
    seed: int,
) -> tuple[MetricComparison, ...]:
    """sacreBLEU's test of all systems in all metrics."""
    from sacrebleu.significance import PairedTest

    (first, *_) = systems.values()
    with seeded_and_quiet(seed):
        test = PairedTest(
            named_systems=[(name, pairs.hypotheses) for name, pairs in systems.items()],
            metrics=metrics,
            references=[first.references],
            test_type="ar",
            n_samples=trials,
            n_ar_confidence=bootstrap if bootstrap > 0 else -1,  # to sacreBLEU, 0 means 1000
            n_jobs=1,
        )
        signatures, columns = test()
    by_label = {"BLEU": "BLEU", "chrF": "chrF2", "TER": "TER"}  # sacreBLEU's names of its columns
    return tuple(
        MetricComparison(
            label,
            str(signatures[by_label[label]]),
            _results(systems, columns[by_label[label]]),
            lower_is_better=label == "TER",
        )
        for label in metrics
    )


def _results(systems: Mapping[str, Pairs], column: Sequence[Any]) -> tuple[SystemResult, ...]:
    """Our rows of one metric from sacreBLEU's."""
    (first, baseline), *others = systems.items()
    base = float(column[0].score)
    rows = [SystemResult(first, base, _number(column[0].ci), None, None)]
    for (name, pairs), result in zip(others, column[1:], strict=True):
        value = float(result.score)
        p = _honest_p(float(result.p_value), value - base, baseline.hypotheses, pairs.hypotheses)
        rows.append(SystemResult(name, value, _number(result.ci), value - base, p))
    return tuple(rows)


def _honest_p(p: float, delta: float, a: Sequence[str], b: Sequence[str]) -> float:
    """The p-value, mended where sacreBLEU counts ties as evidence of a difference.

    It counts the swappings with a difference *larger* than the one seen, so a system tested
    against its own copy gets 1 / (trials + 1). Among the 2^m swappings of m differing lines, at
    least two (none, and all) are as large as the one seen: p cannot be below 2 / 2^m.
    """
    if delta == 0:
        return 1.0
    n_differing = sum(x != y for x, y in zip(a, b, strict=True))
    return min(1.0, max(p, 2.0 ** (1 - n_differing)))


def _number(value: Any) -> float | None:
    return None if value is None else float(value)

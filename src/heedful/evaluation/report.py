"""All scores of one system, with their confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from heedful.evaluation.names import Tokenize
from heedful.evaluation.pairs import check_pairs
from heedful.evaluation.sacre import SEED, make_chrf, seeded_and_quiet, tokenized_note
from heedful.evaluation.scores import Score, count_exact, word_error_rate


@dataclass(frozen=True, repr=False)
class Report:
    """How one system did on one test set."""

    n_lines: int
    bleu: Score
    chrf: Score
    exact_match: Score
    line_error_rate: Score
    """100 - exact match: the 'word error rate' of SIGMORPHON's grapheme-to-phoneme tasks."""
    word_error_rate: Score | None
    """Edits over reference words; only for targets that are made of `words`."""
    notes: tuple[str, ...] = ()
    """Reasons to doubt the scores."""

    def __repr__(self) -> str:
        """The scores with half of their intervals, without signatures."""
        told = [
            f"{score.name} {score.value:.2f}"
            + ("" if score.confidence is None else f" ± {score.confidence:.2f}")
            for score in self.scores
        ]
        return f"Report({self.n_lines:,} lines: {', '.join(told)})"

    @property
    def scores(self) -> tuple[Score, ...]:
        """Every score there is, in the order to show them."""
        found = (self.bleu, self.chrf, self.exact_match, self.line_error_rate, self.word_error_rate)
        return tuple(score for score in found if score is not None)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values, for JSON."""
        return asdict(self)


def evaluate(
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    words: bool,
    tokenize: Tokenize = "13a",
    bootstrap: int = 1000,
    seed: int = SEED,
) -> Report:
    """Score detokenised hypotheses, or tokenised ones with tokenize="none"; `words` adds the word
    error rate.

    `bootstrap` is the number of resamples for the intervals of BLEU and chrF; below 2: none.
    """
    check_pairs(hypotheses, references)
    from sacrebleu import BLEU

    with seeded_and_quiet(seed):
        bleu = _sacre_score(
            "BLEU", BLEU(tokenize=tokenize, force=True), hypotheses, references, bootstrap
        )
        chrf = _sacre_score("chrF", make_chrf(), hypotheses, references, bootstrap)
    right, wrong = _line_scores(count_exact(hypotheses, references), len(references))
    errors = _word_errors(hypotheses, references) if words else None
    note = tokenized_note(hypotheses) if tokenize != "none" else None
    return Report(len(references), bleu, chrf, right, wrong, errors, (note,) if note else ())


def _sacre_score(
    name: str, metric: Any, hypotheses: Sequence[str], references: Sequence[str], bootstrap: int
) -> Score:
    """A metric of sacreBLEU, with its signature and the interval of its bootstrap."""
    result = metric.corpus_score(hypotheses, [references], n_bootstrap=max(1, bootstrap))
    value, signature = float(result.score), str(metric.get_signature())
    if bootstrap < 2:
        return Score(name, value, signature)
    mean, half = float(result._mean), float(result._ci)  # kept nowhere public
    return Score(name, value, signature, half, (mean - half, mean + half))


def _line_scores(n_right: int, n_lines: int) -> tuple[Score, Score]:
    """Lines wholly right, and lines not wholly right, each with Wilson's interval."""
    low, high = wilson(n_right, n_lines)
    half = (high - low) / 2
    share = 100 * n_right / n_lines
    signature = "interval:wilson|level:95"
    return (
        Score("exact match", share, signature, half, (low, high)),
        Score("line error rate", 100 - share, signature, half, (100 - high, 100 - low)),
    )


def _word_errors(hypotheses: Sequence[str], references: Sequence[str]) -> Score:
    return Score(
        "word error rate", word_error_rate(hypotheses, references), "edits:levenshtein|tok:spaces"
    )


def wilson(n_right: int, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, in percent; unlike p ± 1.96 s it stays within 0..100.

    (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n)
    """
    z = 1.959964
    p = n_right / n
    centre = p + z * z / (2 * n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return 100 * max(0.0, (centre - half) / scale), 100 * min(1.0, (centre + half) / scale)

"""All scores of one system, with their confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from heedful.evaluation.names import Tokenize
from heedful.evaluation.notes import find_notes
from heedful.evaluation.pairs import Pairs
from heedful.evaluation.sacre import SEED, corpus_score, make_chrf, seeded_and_quiet
from heedful.evaluation.scores import Score, count_exact, pooled_word_errors
from heedful.evaluation.ter import TOO_SLOW, make_ter, takes_long
from heedful.evaluation.tokenizers import make_bleu


@dataclass(frozen=True, repr=False)
class Report:
    """How one system did on one test set."""

    n_lines: int
    bleu: Score
    chrf: Score
    ter: Score | None
    """Lower is better; None where it was not wanted, or would take minutes."""
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
        lines = (self.exact_match, self.line_error_rate, self.word_error_rate)
        return self.sacre_scores + tuple(score for score in lines if score is not None)

    @property
    def sacre_scores(self) -> tuple[Score, ...]:
        """Those of sacreBLEU, whose signatures belong beside them."""
        found = (self.bleu, self.chrf, self.ter)
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
    ter: bool | None = None,
    bootstrap: int = 1000,
    seed: int = SEED,
) -> Report:
    """Score detokenised hypotheses, or tokenised ones with tokenize="none"; `words` adds the word
    error rate. Both sides are normalised to NFC first.

    `ter` says whether TER is computed; by default it is, unless that would take minutes.
    `bootstrap` is the number of resamples for the intervals of sacreBLEU's scores; below 2: none.
    """
    pairs = Pairs(hypotheses, references)
    notes = find_notes(pairs, tokenize)
    if ter is None and takes_long([pairs], tokenize):
        ter, notes = False, (*notes, TOO_SLOW)
    with seeded_and_quiet(seed):
        bleu = _sacre_score("BLEU", make_bleu(tokenize), pairs, bootstrap)
        chrf = _sacre_score("chrF", make_chrf(), pairs, bootstrap)
        edits = None if ter is False else _sacre_score("TER", make_ter(tokenize), pairs, bootstrap)
    right, wrong = _line_scores(count_exact(pairs), len(pairs))
    errors = _word_errors(pairs) if words else None
    return Report(len(pairs), bleu, chrf, edits, right, wrong, errors, notes)


def _sacre_score(name: str, metric: Any, pairs: Pairs, bootstrap: int) -> Score:
    """A metric of sacreBLEU, with its signature and the interval of its bootstrap."""
    result = corpus_score(metric, pairs, max(1, bootstrap))
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


def _word_errors(pairs: Pairs) -> Score:
    return Score("word error rate", pooled_word_errors(pairs), "edits:levenshtein|tok:spaces")


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

"""What calls of sacreBLEU need around them: normalised pairs, a fixed seed, and a silent log."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from heedful.errors import InputError
from heedful.evaluation.pairs import Pairs

if TYPE_CHECKING:
    from sacrebleu import CHRF

SEED = 12345
"""sacreBLEU's own default, so that our intervals equal those of its command line."""

_VARIABLE = "SACREBLEU_SEED"


def corpus_score(metric: Any, pairs: Pairs, bootstrap: int = 1) -> Any:
    """The score of a metric of sacreBLEU; `bootstrap` is its number of resamples, 1 for none."""
    return metric.corpus_score(pairs.hypotheses, [pairs.references], n_bootstrap=bootstrap)


@contextmanager
def seeded_and_quiet(seed: int) -> Iterator[None]:
    """Run a block with sacreBLEU's seed set and its log silent; both are put back afterwards.

    sacreBLEU takes its seed from the environment only, at the moment of each call.
    """
    if seed < 1:
        # Its paired test takes a seed of 0 for no seed at all, so results would not repeat.
        raise InputError(f"got seed {seed}, wanted 1 or more: sacreBLEU does not honour 0")
    logger = logging.getLogger("sacrebleu")
    level, before = logger.level, os.environ.get(_VARIABLE)
    logger.setLevel(logging.ERROR)
    os.environ[_VARIABLE] = str(seed)
    try:
        yield
    finally:
        logger.setLevel(level)
        if before is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = before


def make_chrf() -> CHRF:
    """chrF, whose bootstrap also holds where some of the resamples match in nothing: sacreBLEU
    cannot take the mean of 0.0 and NumPy's floats."""
    from sacrebleu import CHRF
    from sacrebleu.metrics.chrf import CHRFScore

    class PlainCHRF(CHRF):
        """Its scores are Python's floats."""

        def _compute_score_from_stats(self, stats: list[int]) -> CHRFScore:
            score = super()._compute_score_from_stats(stats)
            score.score = float(score.score)
            return score

    return PlainCHRF()

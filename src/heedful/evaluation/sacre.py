"""What every longer call of sacreBLEU needs around it: a fixed seed, and no chatter."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from heedful.errors import InputError

if TYPE_CHECKING:
    from sacrebleu import CHRF

SEED = 12345
"""sacreBLEU's own default, so that our intervals equal those of its command line."""

_VARIABLE = "SACREBLEU_SEED"
_SUSPICIOUS_LINES = 100


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


def tokenized_note(hypotheses: Sequence[str]) -> str | None:
    """A warning if the text looks tokenised, by sacreBLEU's own rule (100 lines end in ' .')."""
    count = sum(line.endswith(" .") for line in hypotheses)
    if count < _SUSPICIOUS_LINES:
        return None
    return (
        f"{count} lines end in ' .', as tokenised text does; BLEU and chrF want detokenised text "
        "(ending in 'word.'), so these scores may not compare with published ones"
    )

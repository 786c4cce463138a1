"""How many sentences are searched together, so that no worker stands idle. Needs no torch."""

from __future__ import annotations

import math
from collections.abc import Sequence


def evenly(lengths: Sequence[int], most: int, workers: int) -> int:
    """Tokens of a batch, no more than `most`, with which all workers are done at about the same
    time: as many batches for each."""
    total = sum(lengths) + len(lengths)  # with end marks
    for_each = math.ceil(total / (most * workers))
    return min(most, math.ceil(total / max(1, for_each * workers)) + max(lengths, default=0))

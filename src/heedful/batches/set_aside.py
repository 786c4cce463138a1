"""Validation pairs from training text: source lines are drawn, and leave the training data wholly.

The draw is from the survey's sample. A source that is drawn is known by its hash from then on: the
second reading leaves out every pair that has it, wherever it stands, so nothing of the rest of the
corpus must be kept in memory.
"""

from __future__ import annotations

import random
from collections import Counter

from heedful.batches.survey import Survey
from heedful.errors import InputError
from heedful.text.corpus import Pair, ParallelCorpus

FEWEST = 10
MOST = 1000
ONE_IN = 50  # of all pairs, between these two
FEWEST_SOURCES = 2 * FEWEST  # distinct ones, or too little would be left to train on
MOST_LEAVE = 0.1  # of all pairs, as soon as the fewest are set aside: sources may repeat


def set_aside(seen: Survey, corpus: ParallelCorpus, seed: int) -> list[Pair]:
    """Draw one pair of each of some sources for validation; all pairs with these sources leave the
    sample.

    Rare sources come first, so that as few pairs as possible are lost to training.
    """
    counts = Counter(seen.sources.values())
    if len(counts) < FEWEST_SOURCES:
        raise InputError(
            f"{corpus.describe()}: {seen.pairs} usable pairs with {len(counts)} distinct source "
            f"lines are too few to set some aside for validation; give at least {FEWEST_SOURCES} "
            f"distinct ones, or --valid-source and --valid-target"
        )
    drawn = list(counts)
    random.Random(seed).shuffle(drawn)
    drawn.sort(key=counts.__getitem__)  # those that are equally rare stay in the drawn order
    chosen = drawn[: _how_many(seen, [counts[source] for source in drawn])]
    targets = dict(reversed(seen.take_out(set(chosen))))  # of each source the first
    return [(source, targets[source]) for source in chosen]


def _how_many(seen: Survey, counts: list[int]) -> int:
    """How many of the sources, of which the sample has so many pairs each, are set aside."""
    wanted = min(MOST, max(FEWEST, seen.pairs // ONE_IN))
    may_leave = MOST_LEAVE * len(seen.sources)
    n_leaving = 0
    for n_sources, count in enumerate(counts[:wanted]):
        n_leaving += count
        if n_sources >= FEWEST and n_leaving > may_leave:
            return n_sources
    return wanted

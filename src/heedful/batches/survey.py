"""The first reading of a corpus: faults are told, pairs counted, and some drawn to learn from."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from heedful.text.corpus import Pair, ParallelCorpus
from heedful.text.tidy import tidy_pairs

SAMPLE = 200_000  # pairs that the vocabulary is learnt from; more changes little but takes long

Watch = Callable[[str, int, int | None], None]
"""Told (stage, done, total) while it works; total None where nobody knows."""


@dataclass
class Survey:
    """What was found."""

    usable: list[int] = field(default_factory=list)  # pairs of each block with text on both sides
    pairs: int = 0  # the sum of them
    blank: int = 0
    sample: list[Pair] = field(default_factory=list)


def survey(corpus: ParallelCorpus, seed: int, watch: Watch) -> Survey:
    """Reads all once. Each pair is as likely to be in the sample as another."""
    seen, draw = Survey(), random.Random(seed)
    for block in corpus.blocks():
        sources, targets = tidy_pairs(*corpus.decoded(block))
        room = SAMPLE - len(seen.sample)
        seen.sample += zip(sources[:room], targets[:room], strict=True)
        first, last = seen.pairs, seen.pairs + len(sources)
        for number, place in _replacements(draw, max(first, SAMPLE), last):
            seen.sample[place] = sources[number - first], targets[number - first]
        seen.pairs = last
        seen.usable.append(len(sources))
        seen.blank += block[0].count(b"\n") - len(sources)
        watch("reading the text", seen.pairs, None)
    if not seen.pairs:
        raise corpus.no_text()
    return seen


def _replacements(draw: random.Random, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Reservoir sampling: which of the pairs from `first` on take a place in the sample, and which.

    Pair n draws `randrange(n + 1)`; spelt out, since it is done for every pair of the corpus.
    """
    bits = draw.getrandbits
    for n in range(first + 1, last + 1):
        width = n.bit_length()
        place = bits(width)
        while place >= n:
            place = bits(width)
        if place < SAMPLE:
            yield n - 1, place

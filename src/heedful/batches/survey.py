"""The first reading of a corpus: faults are told, pairs counted, and some drawn to learn from."""

from __future__ import annotations

import random
from collections.abc import Callable, Container
from dataclasses import dataclass, field

import numpy as np

from heedful.text.bulk.block_lines import BlockLines
from heedful.text.corpus import Pair, ParallelCorpus
from heedful.text.tidy import tidy_pairs

SAMPLE = 200_000  # pairs that the vocabulary is learnt from; more changes little but takes long
CUT_ALL = 8  # where more than one in eight lines is wanted, cutting all of them is quicker

Watch = Callable[[str, int, int | None], None]
"""Told (stage, done, total) while it works; total None where nobody knows."""


@dataclass
class Survey:
    """What was found."""

    usable: list[int] = field(default_factory=list)  # pairs of each block with text on both sides
    pairs: int = 0  # the sum of them
    blank: int = 0
    sources: dict[int, str] = field(default_factory=dict)  # the sample, by places
    targets: dict[int, str] = field(default_factory=dict)
    taken_out: int = 0  # pairs that have left the sample

    def take_out(self, sources: Container[str]) -> list[Pair]:
        """Remove all pairs with these sources from the sample."""
        places = [place for place, source in self.sources.items() if source in sources]
        self.taken_out += len(places)
        return [(self.sources.pop(place), self.targets.pop(place)) for place in places]

    @property
    def scale(self) -> float:
        """How many times as many pairs there are to train on as in the sample."""
        return (self.pairs - self.taken_out) / len(self.sources)

    def forget_sample(self) -> None:
        """It is large; to be called when it has done its duty."""
        self.sources.clear()
        self.targets.clear()


def survey(corpus: ParallelCorpus, seed: int, watch: Watch) -> Survey:
    """Reads all once. Each pair is as likely to be in the sample as another."""
    seen, draw = Survey(), random.Random(seed)
    for block in corpus.blocks():
        text = corpus.decoded(block)
        source, target = map(BlockLines, block)
        usable = np.flatnonzero(~(source.is_blank() | target.is_blank()))
        taken, places = _taken(draw, seen.pairs, seen.pairs + len(usable))
        if len(taken) * CUT_ALL > len(usable):
            both = tidy_pairs(*text)
            drawn = [[lines[number] for number in taken] for lines in both]
        else:
            rows = [int(usable[number]) for number in taken]
            drawn = [[lines.tidied(row) for row in rows] for lines in (source, target)]
        seen.sources.update(zip(places, drawn[0], strict=True))
        seen.targets.update(zip(places, drawn[1], strict=True))
        seen.pairs += len(usable)
        seen.usable.append(len(usable))
        seen.blank += len(source) - len(usable)
        watch("reading the text", seen.pairs, None)
    if not seen.pairs:
        raise corpus.no_text()
    return seen


def _taken(draw: random.Random, first: int, last: int) -> tuple[list[int], list[int]]:
    """Reservoir sampling: which pairs from `first` on are taken into the sample, counted from
    there, and which places they get.

    Beyond the first SAMPLE, pair n draws `randrange(n)`; spelt out here, since it is done for
    every pair of a corpus.
    """
    taken = list(range(max(0, min(last, SAMPLE) - first)))
    places = [first + row for row in taken]
    bits = draw.getrandbits
    for n in range(max(first, SAMPLE) + 1, last + 1):
        width = n.bit_length()
        place = bits(width)
        while place >= n:
            place = bits(width)
        if place < SAMPLE:
            taken.append(n - 1 - first)
            places.append(place)
    return taken, places

"""The second reading of a corpus: all its pairs become ids on disk."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from heedful.batches.store import StoreWriter
from heedful.batches.survey import Survey, Watch
from heedful.errors import InputError
from heedful.machine import granted_cores
from heedful.text.bulk.crew import Crew
from heedful.text.bulk.pair_encoder import Task
from heedful.text.corpus import Pair, ParallelCorpus
from heedful.text.tokenizer import Tokenizer

BLOCKS_EACH = 4  # a process that gets fewer is not worth starting
MOST_PROCESSES = 8  # more would wait for this one, which reads and writes, and take memory

Sides = tuple[Tokenizer, Tokenizer]


def crew_for(seen: Survey) -> Crew:
    """As many processes as can be kept busy."""
    return Crew(min(granted_cores(), MOST_PROCESSES, len(seen.usable) // BLOCKS_EACH))


@dataclass(frozen=True)
class SecondReading:
    """What is read, and what becomes of it."""

    corpus: ParallelCorpus
    seen: Survey  # by the first reading
    sides: Sides
    longest: int  # tokens of a side, or the pair is left out
    aside: list[int]  # usable pairs not to be trained on, by number, in order

    def write(self, folder: Path, crew: Crew, watch: Watch) -> tuple[list[Pair], int]:
        """Ids and hashes of all pairs that fit -> those set aside, and how many were too long."""
        set_aside: list[Pair] = []
        too_long = done = 0
        watch("tokenising", 0, self.seen.pairs)
        setup = self.sides[0].to_bytes(), self.sides[1].to_bytes(), self.longest
        results = crew.encode(self._tasks(), setup)
        with StoreWriter(folder, "train") as out, (folder / "train.hashes").open("wb") as hashes:
            for encoded, usable in zip(results, self.seen.usable, strict=True):
                if encoded.usable != usable:
                    raise self._changed()
                out.extend(encoded.source, encoded.target)
                encoded.hashes.tofile(hashes)
                set_aside += encoded.aside
                too_long += encoded.too_long
                done += usable
                watch("tokenising", done, self.seen.pairs)
        return set_aside, too_long

    def _tasks(self) -> Iterator[Task]:
        """The blocks of the survey once more."""
        first = at = 0
        for block, usable in zip_longest(self.corpus.blocks(), self.seen.usable):
            if block is None or usable is None:
                raise self._changed()
            end = bisect_left(self.aside, first + usable, lo=at)
            yield Task(block, tuple(number - first for number in self.aside[at:end]))
            first, at = first + usable, end

    def _changed(self) -> InputError:
        return InputError(f"{self.corpus.describe()}: changed while being read. Start again")

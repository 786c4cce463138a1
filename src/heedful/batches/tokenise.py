"""The second reading of a corpus: all its pairs become ids on disk."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
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


def write_training(
    folder: Path,
    corpus: ParallelCorpus,
    sides: Sides,
    longest: int,
    aside: list[int],
    seen: Survey,
    crew: Crew,
    watch: Watch,
) -> tuple[list[Pair], int]:
    """Ids and hashes of all pairs that fit -> those set aside, and how many were too long."""
    set_aside: list[Pair] = []
    too_long = done = 0
    watch("tokenising", 0, seen.pairs)
    setup = sides[0].to_bytes(), sides[1].to_bytes(), longest
    seen.sources.clear()  # they are large, and have done their duty
    seen.targets.clear()
    results = crew.encode(_tasks(corpus, seen, aside), setup)
    with StoreWriter(folder, "train") as out, (folder / "train.hashes").open("wb") as hashes:
        for encoded, usable in zip(results, seen.usable, strict=True):
            if encoded.usable != usable:
                raise _changed(corpus)
            out.extend(encoded.source, encoded.target)
            encoded.hashes.tofile(hashes)
            set_aside += encoded.aside
            too_long += encoded.too_long
            done += usable
            watch("tokenising", done, seen.pairs)
    return set_aside, too_long


def _tasks(corpus: ParallelCorpus, seen: Survey, aside: list[int]) -> Iterator[Task]:
    """The blocks of the survey once more; `aside` are numbers of usable pairs, in order."""
    first = at = 0
    for block, usable in zip_longest(corpus.blocks(), seen.usable):
        if block is None or usable is None:
            raise _changed(corpus)
        end = bisect_left(aside, first + usable, lo=at)
        yield Task(block, tuple(number - first for number in aside[at:end]))
        first, at = first + usable, end


def _changed(corpus: ParallelCorpus) -> InputError:
    return InputError(f"{corpus.describe()}: changed while being read. Start again")

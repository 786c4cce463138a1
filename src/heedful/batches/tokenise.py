"""The second reading of a corpus: all its pairs become ids on disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from heedful.batches.store import StoreWriter
from heedful.batches.survey import Survey, Watch
from heedful.errors import InputError
from heedful.machine import granted_cores
from heedful.text.bulk.crew import Crew
from heedful.text.corpus import Block, ParallelCorpus
from heedful.text.tidy import line_hashes
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
    aside: Sequence[str]  # sources whose pairs are not to be trained on

    def write(self, folder: Path, crew: Crew, watch: Watch) -> tuple[int, int]:
        """Write ids and hashes of all pairs that fit; count those set aside, and those too long."""
        aside = too_long = done = 0
        watch("tokenising", 0, self.seen.pairs)
        models = self.sides[0].to_bytes(), self.sides[1].to_bytes()
        hashes_aside = tuple(line_hashes(list(self.aside)).tolist())
        results = crew.encode(self._blocks(), (*models, self.longest, hashes_aside))
        with StoreWriter(folder, "train") as out, (folder / "train.hashes").open("wb") as hashes:
            for encoded, usable in zip(results, self.seen.usable, strict=True):
                if encoded.usable != usable:
                    raise self._changed()
                out.extend(encoded.source, encoded.target)
                encoded.hashes.tofile(hashes)
                aside += encoded.aside
                too_long += encoded.too_long
                done += usable
                watch("tokenising", done, self.seen.pairs)
        if aside < len(self.aside):
            raise self._changed()
        return aside, too_long

    def _blocks(self) -> Iterator[Block]:
        """The blocks of the survey once more."""
        for block, usable in zip_longest(self.corpus.blocks(), self.seen.usable):
            if block is None or usable is None:
                raise self._changed()
            yield block

    def _changed(self) -> InputError:
        return InputError(f"{self.corpus.describe()}: changed while being read. Start again")

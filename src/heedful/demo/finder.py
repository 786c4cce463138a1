"""Which head finds the noun that "it" means?

It may be one of the encoder, looking from "it" itself; or one of the decoder over the source,
looking from a piece of the word that is being written for it: qu'il, qu'elle, or the noun again in
Korean.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from heedful.demo.corpus import Example
from heedful.demo.judge import word_positions
from heedful.see.recording.record import Kind, Record
from heedful.see.recording.words import word_starts
from heedful.translator import Translator


@dataclass(frozen=True)
class Finder:
    """One head; layer and head count from 1."""

    kind: Kind
    layer: int
    head: int
    is_last: bool
    """Whether the last piece of the word looks; else the first."""

    def query(self, example: Example, pieces: Sequence[str]) -> int:
        """The piece that looks."""
        at = word_positions(example)
        word = at.it if self.kind == "encoder" else at.written
        starts = [*word_starts(pieces), len(pieces)]
        return starts[word + 1] - 1 if self.is_last else starts[word]

    def share_right(self, translator: Translator, examples: Sequence[Example]) -> float:
        """Percent of sentences in which it looks more at the true noun than at the other one."""
        pulls = [_pulls(translator, example)[self] for example in examples]
        return 100 * float(np.mean(np.array(pulls) > 0))

    def describe(self) -> str:
        """In words."""
        place = "encoder" if self.kind == "encoder" else "decoder"
        return f"{place} layer {self.layer}, head {self.head}"


def best_finder(translator: Translator, examples: Sequence[Example]) -> Finder:
    """The head that most often prefers the true noun; of equals, the one that does so most."""
    pulls = [_pulls(translator, example) for example in examples]

    def merit(finder: Finder) -> tuple[float, float]:
        each = np.array([pull[finder] for pull in pulls])
        return float((each > 0).mean()), float(each.mean())

    return max(pulls[0], key=merit)


def _pulls(translator: Translator, example: Example) -> Mapping[Finder, float]:
    """For each head: weight to the true noun, less that to the other."""
    record: Record = translator.attend(example.source, example.target)
    at = word_positions(example)
    pulls: dict[Finder, float] = {}
    for attention in record.attentions:
        if attention.kind == "decoder":  # it sees no source
            continue
        to_words = attention.keys_by_words()
        for head, is_last in itertools.product(range(1, attention.n_heads + 1), (True, False)):
            finder = Finder(attention.kind, attention.layer, head, is_last)
            row = to_words.weights[head - 1, finder.query(example, attention.queries)]
            pulls[finder] = float(row[at.referent] - row[at.other])
    return pulls

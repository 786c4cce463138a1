"""Which head finds the noun that "it" means?

It may be one of the encoder, looking from "it" itself; or one of the decoder over the source,
looking from the word that is being written for it: il, elle, or the noun again in Korean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heedful.demo.corpus import Example
from heedful.demo.judge import word_positions
from heedful.see.record import Kind, Record
from heedful.translator import Translator


@dataclass(frozen=True)
class Finder:
    """One head; layer and head count from 1."""

    kind: Kind
    layer: int
    head: int

    def query(self, example: Example) -> int:
        """The word that looks."""
        at = word_positions(example)
        return at.it if self.kind == "encoder" else at.written

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
    record: Record = translator.attend(example.source, example.target).by_words()
    at = word_positions(example)
    pulls: dict[Finder, float] = {}
    for attention in record.attentions:
        if attention.kind == "decoder":  # it sees no source
            continue
        for head in range(attention.n_heads):
            finder = Finder(attention.kind, attention.layer, head + 1)
            row: NDArray[np.float32] = attention.weights[head, finder.query(example)]
            pulls[finder] = float(row[at.referent] - row[at.other])
    return pulls

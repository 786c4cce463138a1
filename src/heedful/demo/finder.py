"""Which head sends "it" to its noun?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heedful.demo.corpus import Example
from heedful.demo.judge import word_positions
from heedful.translator import Translator


@dataclass(frozen=True)
class Finder:
    """One head of the encoder; layer and head count from 1."""

    layer: int
    head: int

    def share_right(self, translator: Translator, examples: Sequence[Example]) -> float:
        """Percent of sentences in which "it" looks more at its noun than at the other one."""
        pulls = [_pulls(translator, e)[self.layer - 1, self.head - 1] for e in examples]
        return 100 * float(np.mean(np.array(pulls) > 0))


def best_finder(translator: Translator, examples: Sequence[Example]) -> Finder:
    """The head that most often prefers the true noun; of equals, the one that does so most."""
    pulls = np.stack([_pulls(translator, example) for example in examples])  # (n, layers, heads)
    merit = (pulls > 0).mean(0) + 0.1 * pulls.mean(0)
    layer, head = np.unravel_index(int(merit.argmax()), merit.shape)
    return Finder(int(layer) + 1, int(head) + 1)


def _pulls(translator: Translator, example: Example) -> NDArray[np.float32]:
    """Weight from "it" to its noun, less that to the other -> (layers, heads)."""
    record = translator.attend(example.source, example.target).by_words()
    at = word_positions(example)
    layers = [a.weights for a in record.attentions if a.kind == "encoder"]
    return np.stack([w[:, at.it, at.referent] - w[:, at.it, at.other] for w in layers])

"""Which head finds the noun that "it" means?

It may be one of the encoder, looking from "it" itself; or one of the decoder over the source,
looking from where the word for "it" is decided: il or elle, or the noun again in Korean. That is
the first piece that would be another if "it" meant the other noun: in "même s'il" and "même si
elle" it stands before the pronoun.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from heedful.demo.corpus import Example
from heedful.demo.judge import of_the_other, word_positions
from heedful.see.recording.attention import Attention, Kind
from heedful.see.recording.record import Record
from heedful.see.recording.words import word_starts
from heedful.translator import Translator


@dataclass(frozen=True)
class Finder:
    """One head; layer and head count from 1."""

    kind: Kind
    layer: int
    head: int

    def query(self, translator: Translator, example: Example) -> int:
        """The piece that looks."""
        if self.kind == "encoder":
            tokenizer = translator.source_tokenizer
            starts = word_starts(tokenizer.pieces(tokenizer.encode(example.source)))
            return starts[word_positions(example).it]
        return decided_at(translator, example)

    def between_words(
        self, translator: Translator, example: Example, record: Record
    ) -> tuple[Attention, int]:
        """Its layer between words, and the word that looks: as its deciding piece does, not as all
        of its pieces do on average."""
        attention, piece = record.get(self.kind, self.layer), self.query(translator, example)
        word = sum(start <= piece for start in word_starts(attention.queries)) - 1
        words = attention.by_words()
        weights = words.weights.copy()
        weights[:, word] = attention.keys_by_words().weights[:, piece]
        return replace(words, weights=weights), word

    def share_right(self, translator: Translator, examples: Sequence[Example]) -> float:
        """Percent of sentences in which it looks more at the true noun than at the other one."""
        pulls = [_pulls(translator, example)[self] for example in examples]
        return 100 * float(np.mean(np.array(pulls) > 0))

    def describe(self) -> str:
        """In words."""
        place = "encoder" if self.kind == "encoder" else "attention over the source"
        return f"{place}, layer {self.layer}, head {self.head}"


def best_finder(translator: Translator, examples: Sequence[Example]) -> Finder:
    """The head that most often prefers the true noun; of equals, the one that does so most."""
    pulls = [_pulls(translator, example) for example in examples]

    def merit(finder: Finder) -> tuple[float, float]:
        each = np.array([pull[finder] for pull in pulls])
        return float((each > 0).mean()), float(each.mean())

    return max(pulls[0], key=merit)


def decided_at(translator: Translator, example: Example) -> int:
    """The target's piece, from 0, at which the two meanings part."""
    tokenizer = translator.target_tokenizer
    mine, other = (tokenizer.encode(text) for text in (example.target, of_the_other(example)))
    return next(i for i, (a, b) in enumerate(zip(mine, other, strict=False)) if a != b)


def _pulls(translator: Translator, example: Example) -> Mapping[Finder, float]:
    """For each head: weight to the true noun, less that to the other."""
    record = translator.attend(example.source, example.target)
    at = word_positions(example)
    pulls: dict[Finder, float] = {}
    for attention in record.attentions:
        if attention.kind == "decoder":  # it sees no source
            continue
        to_words = attention.keys_by_words()
        for head in range(1, attention.n_heads + 1):
            finder = Finder(attention.kind, attention.layer, head)
            row = to_words.weights[head - 1, finder.query(translator, example)]
            pulls[finder] = float(row[at.referent] - row[at.other])
    return pulls

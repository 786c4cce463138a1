"""Which layer of a decoder tells which words belong together: measured on validation pairs.

Nobody has said which words of them do. But words that are nearly always in the same pairs mostly
translate each other, and the best layer is the one that looks from most of these at their partners.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from heedful.batches import Epoch, make_batch
from heedful.batches.batch import Ids
from heedful.batches.prepared import Prepared
from heedful.engines.aligning import looks_by_layer
from heedful.models.seq2seq import AnySeq2Seq
from heedful.text.links import tokens_of_words
from heedful.text.tokenizer import Tokenizer

MOST_PAIRS = 500  # that are looked at: more cost time and tell the same
OFTEN = 3  # pairs that two words must share, or it may be chance
MOSTLY = 0.5  # of the pairs that have either of them, by Dice's coefficient
FEWEST_HITS = 50  # of the best layer: fewer tell nothing

Word = tuple[int, ...]
"""Its tokens."""


@dataclass(frozen=True)
class _Sentence:
    ids: list[int]
    words: list[Word]
    starts: list[int]  # where each word begins

    @classmethod
    def of(cls, ids: Ids, tokenizer: Tokenizer) -> _Sentence:
        own = [int(token) for token in ids]
        places = tokens_of_words(tokenizer, own)
        words = [tuple(own[n] for n in word) for word in places]
        return cls(own, words, [word[0] for word in places])


_Pair = tuple[_Sentence, _Sentence]


def measured_layer(model: AnySeq2Seq, data: Prepared) -> int | None:
    """Counted from 0; None where there is no choice, or too little to choose by."""
    pairs = _pairs(data)
    partners = _partners(pairs)
    device = next(model.parameters()).device
    hits = np.zeros(1, np.int64)
    lengths = (np.array([len(pair[side].ids) for pair in pairs], np.int32) for side in (0, 1))
    for rows in Epoch(*lengths, batch_tokens=4096, seed=0, epoch=0):
        some = [pairs[row] for row in rows]
        batch = make_batch([source.ids for source, _ in some], [target.ids for _, target in some])
        layers = looks_by_layer(model, batch.to(device))
        if len(layers) < 2:
            return None
        weights = torch.stack(layers, 1).cpu().numpy()  # (B, layers, T, S)
        for pair, own in zip(some, weights, strict=True):
            found = _most_looked_at(pair, own)
            hits = hits + sum(found[:, t] == s for t, s in _wanted(pair, partners))
    return int(hits.argmax()) if hits.max() >= FEWEST_HITS else None


def _pairs(data: Prepared) -> list[_Pair]:
    sources, targets = data.valid.pairs(range(min(len(data.valid), MOST_PAIRS)))
    return [
        (_Sentence.of(source, data.source_tokenizer), _Sentence.of(target, data.target_tokenizer))
        for source, target in zip(sources, targets, strict=True)
        if len(source) and len(target)
    ]


def _partners(pairs: list[_Pair]) -> set[tuple[Word, Word]]:
    """Source words and target words that are mostly in the same pairs."""
    sources: Counter[Word] = Counter()
    targets: Counter[Word] = Counter()
    together: Counter[tuple[Word, Word]] = Counter()
    for source, target in pairs:
        ours, theirs = set(source.words), set(target.words)
        sources.update(ours)
        targets.update(theirs)
        together.update((s, t) for s in ours for t in theirs)
    return {
        (s, t)
        for (s, t), n in together.items()
        if n >= OFTEN and 2 * n >= MOSTLY * (sources[s] + targets[t])
    }


def _wanted(pair: _Pair, partners: set[tuple[Word, Word]]) -> list[tuple[int, int]]:
    """Which target word should look at which source word: partners that are there once."""
    source, target = (
        {word: n for n, word in enumerate(side.words) if side.words.count(word) == 1}
        for side in pair
    )
    both = itertools.product(target.items(), source.items())
    return [(t, s) for (word, t), (partner, s) in both if (partner, word) in partners]


def _most_looked_at(pair: _Pair, weights: NDArray[np.float32]) -> NDArray[np.intp]:
    """(layers, T, S) -> the source word that each target word looks at most, (layers, words)."""
    source, target = pair
    real = weights[:, : len(target.ids), : len(source.ids)]
    by_source = np.add.reduceat(real, source.starts, axis=2)
    found: NDArray[np.intp] = np.add.reduceat(by_source, target.starts, axis=1).argmax(2)
    return found

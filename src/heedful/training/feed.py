"""Batches in their seeded order, from wherever a run has come to."""

from __future__ import annotations

import numpy as np

from heedful.batches import Batch, Epoch, PairStore, make_batch
from heedful.batches.splitting import Splitter
from heedful.training.checkpoint import Progress

LET_GO_EVERY = 4  # batches: reading a page makes the system map its sixteen neighbours too


class Feed:
    """Hands out one batch after the other, epoch after epoch."""

    def __init__(
        self,
        store: PairStore,
        *,
        batch_tokens: int,
        seed: int,
        splitters: tuple[Splitter, Splitter] | None = None,
    ) -> None:
        self._store = store
        self._splitters = splitters
        self._batch_tokens = batch_tokens
        self._seed = seed
        self._number: int | None = None
        self._epoch: Epoch | None = None

    def next(self, progress: Progress) -> Batch:
        """The batch that `progress` names; moves it on to the one after."""
        epoch = self._planned(progress.epoch)
        sources, targets = self._store.pairs(epoch.batch(progress.batch))
        if self._splitters:
            random = np.random.default_rng([self._seed, progress.epoch, progress.batch])
            sources, targets = (
                split(rows, random)
                for split, rows in zip(self._splitters, (sources, targets), strict=True)
            )
        batch = make_batch(sources, targets)
        progress.batch += 1
        progress.tokens += batch.n_tokens
        if progress.batch % LET_GO_EVERY == 0:
            self._store.let_go()
        if not epoch.has(progress.batch):
            progress.epoch, progress.batch = progress.epoch + 1, 0
        return batch

    def _planned(self, number: int) -> Epoch:
        if self._epoch is None or number != self._number:
            self._epoch = Epoch(
                self._store.source.lengths,
                self._store.target.lengths,
                batch_tokens=self._batch_tokens,
                seed=self._seed,
                epoch=number,
            )
            self._number = number
        return self._epoch

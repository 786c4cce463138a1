"""Batches in their seeded order, from wherever a run has come to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heedful.batches import Batch, PairStore, make_batch, plan_epoch
from heedful.training.checkpoint import Progress

LET_GO_EVERY = 20  # batches: reading a page makes the system map its neighbours too


class Feed:
    """Hands out one batch after the other, epoch after epoch."""

    def __init__(self, store: PairStore, *, batch_tokens: int, seed: int) -> None:
        self._store = store
        self._batch_tokens = batch_tokens
        self._seed = seed
        self._plan: list[NDArray[np.int32]] = []
        self._epoch: int | None = None

    def next(self, progress: Progress) -> Batch:
        """The batch that `progress` names; moves it on to the one after."""
        plan = self._plan_of(progress.epoch)
        batch = make_batch(*self._store.pairs(plan[progress.batch]))
        progress.batch += 1
        progress.tokens += batch.n_tokens
        if progress.batch % LET_GO_EVERY == 0:
            self._store.let_go()
        if progress.batch == len(plan):
            progress.epoch, progress.batch = progress.epoch + 1, 0
        return batch

    def _plan_of(self, epoch: int) -> list[NDArray[np.int32]]:
        if epoch != self._epoch:
            self._plan = plan_epoch(
                self._store.source.lengths,
                self._store.target.lengths,
                batch_tokens=self._batch_tokens,
                seed=self._seed,
                epoch=epoch,
            )
            self._epoch = epoch
        return self._plan

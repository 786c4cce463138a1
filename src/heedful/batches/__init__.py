"""From token ids on disk to batches of tensors."""

from heedful.batches.batch import Batch, make_batch
from heedful.batches.bucketing import plan_epoch
from heedful.batches.store import PairStore, StoreWriter

__all__ = ["Batch", "PairStore", "StoreWriter", "make_batch", "plan_epoch"]

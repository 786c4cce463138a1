"""From token ids on disk to batches of tensors."""

from heedful.batches.batch import Batch, make_batch
from heedful.batches.bucketing import Epoch
from heedful.batches.store import PairStore, StoreWriter

__all__ = ["Batch", "Epoch", "PairStore", "StoreWriter", "make_batch"]

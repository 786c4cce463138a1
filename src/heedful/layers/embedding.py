"""Word vectors, scaled as in section 3.4 of the paper."""

from __future__ import annotations

import math

import torch.nn.functional as F
from torch import Tensor, nn


class Embedding(nn.Module):
    """ids -> vectors · √d_model. The table is handed in, so that several users may share one."""

    def __init__(self, table: nn.Parameter) -> None:
        super().__init__()
        self.table = table  # (vocabulary, d_model)

    def forward(self, ids: Tensor) -> Tensor:
        """(...) ids -> (..., d_model)."""
        return F.embedding(ids, self.table) * math.sqrt(self.table.shape[1])

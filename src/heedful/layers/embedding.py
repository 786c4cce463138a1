"""Word vectors, scaled as in section 3.4 of the paper."""

from __future__ import annotations

import math

import torch.nn.functional as F
from torch import Tensor, nn


class Embedding(nn.Module):
    """ids -> vectors · √width, and from a width that is not d_model by a projection to it.

    The table is handed in, so that several users may share one.
    """

    def __init__(self, table: nn.Parameter, d_model: int) -> None:
        super().__init__()
        self.table = table  # (vocabulary, width)
        width = table.shape[1]
        self.project = nn.Linear(width, d_model, bias=False) if width != d_model else None

    def forward(self, ids: Tensor) -> Tensor:
        """(...) ids -> (..., d_model)."""
        vectors = F.embedding(ids, self.table) * math.sqrt(self.table.shape[1])
        if self.project is None:
            return vectors
        projected: Tensor = self.project(vectors)
        return projected

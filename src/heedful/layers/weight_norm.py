"""A linear layer whose weights are normalised (Salimans and Kingma 2016)."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class NormalisedLinear(nn.Module):
    """W x + b with W = g V / |V|, row by row: a row's direction V and its length g are learnt by
    themselves. They begin at random, with this spread."""

    def __init__(self, d_in: int, d_out: int, *, spread: float) -> None:
        super().__init__()
        self.direction = nn.Parameter(torch.empty(d_out, d_in).normal_(std=spread))
        self.gain = nn.Parameter(self.direction.detach().norm(dim=1))
        self.bias = nn.Parameter(torch.zeros(d_out))

    def forward(self, x: Tensor) -> Tensor:
        """(..., d_in) -> (..., d_out)."""
        weight = self.direction * (self.gain / self.direction.norm(dim=1))[:, None]
        return F.linear(x, weight, self.bias)

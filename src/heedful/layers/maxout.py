"""The output layer of the recurrent models of 2014 and 2015."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Maxout(nn.Module):
    """max(W_1 x + b_1, W_2 x + b_2), element by element (Goodfellow 2013)."""

    def __init__(self, d_input: int, d_output: int) -> None:
        super().__init__()
        self.both = nn.Linear(d_input, 2 * d_output)

    def forward(self, x: Tensor) -> Tensor:
        """(..., d_input) -> (..., d_output)."""
        one, other = self.both(x).chunk(2, dim=-1)
        return torch.maximum(one, other)

"""The position-wise feed-forward network, equation (2) of the paper."""

from __future__ import annotations

from torch import Tensor, nn


class FeedForward(nn.Module):
    """FFN(x) = max(0, x W_1 + b_1) W_2 + b_2, the same at every position."""

    def __init__(self, *, d_model: int, d_ff: int) -> None:
        super().__init__()
        self.widen = nn.Linear(d_model, d_ff)
        self.narrow = nn.Linear(d_ff, d_model)
        nn.init.xavier_uniform_(self.widen.weight)
        nn.init.xavier_uniform_(self.narrow.weight)

    def forward(self, x: Tensor) -> Tensor:
        """(..., d_model) -> (..., d_model)."""
        narrowed: Tensor = self.narrow(self.widen(x).relu_())
        return narrowed

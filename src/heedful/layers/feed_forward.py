"""The position-wise feed-forward network, equation (2) of the paper."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor, nn
from torch.nn import functional as F

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": Tensor.relu_,
    "swish": F.silu,  # x σ(x)
    "gelu": F.gelu,  # x Φ(x)
}


class FeedForward(nn.Module):
    """FFN(x) = max(0, x W_1 + b_1) W_2 + b_2, the same at every position; max(0, x) may be another
    activation."""

    def __init__(self, *, d_model: int, d_ff: int, activation: str = "relu") -> None:
        super().__init__()
        self.activate = ACTIVATIONS[activation]
        self.widen = nn.Linear(d_model, d_ff)
        self.narrow = nn.Linear(d_ff, d_model)
        nn.init.xavier_uniform_(self.widen.weight)
        nn.init.xavier_uniform_(self.narrow.weight)

    def forward(self, x: Tensor) -> Tensor:
        """(..., d_model) -> (..., d_model)."""
        narrowed: Tensor = self.narrow(self.activate(self.widen(x)))
        return narrowed

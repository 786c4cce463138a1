"""The frame round every sub-layer: residual connection, dropout, layer normalisation."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor, nn

from heedful.layers.dropout import Dropout


class Residual(nn.Module):
    """Post-norm, as in the paper: LayerNorm(x + Dropout(f(x))).

    Pre-norm, by choice: x + Dropout(f(LayerNorm(x))).
    """

    def __init__(self, *, d_model: int, dropout: float, pre_norm: bool) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(d_model)
        self.dropout = Dropout(dropout)
        self.pre_norm = pre_norm

    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        """(..., d_model) -> (..., d_model)."""
        framed: Tensor
        if self.pre_norm:
            framed = self.dropout.added(x, sublayer(self.norm(x)))
        else:
            framed = self.norm(self.dropout.added(x, sublayer(x)))
        return framed

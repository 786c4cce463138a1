"""Convolutions with gates, as in "Convolutional Sequence to Sequence Learning" (Gehring 2017)."""

from __future__ import annotations

import math
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from heedful.layers.weight_norm import NormalisedLinear

ROOT_HALF = math.sqrt(0.5)
"""A sum of two vectors times this has the variance of one of them."""


class GatedConvolution(nn.Module):
    """GLU(W [x_i … x_{i+width-1}] + b) with GLU(a, b) = a ∘ σ(b): each position from a window.

    The window lies around its position or, where the future must not be seen, ends with it.
    """

    def __init__(self, *, d_model: int, width: int, dropout: float, causal: bool) -> None:
        super().__init__()
        self.width = width
        self.before = width - 1 if causal else (width - 1) // 2
        fan_in = d_model * width
        # A gate halves what passes, and dropout too: with this spread variance stays as it is.
        spread = math.sqrt(4 * (1 - dropout) / fan_in)
        self.linear = NormalisedLinear(fan_in, 2 * d_model, spread=spread)

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, d_model) -> (B, T, d_model)."""
        padded = F.pad(x, (0, 0, self.before, self.width - 1 - self.before))
        return self.seen(padded.unfold(1, self.width, 1))

    def seen(self, windows: Tensor) -> Tensor:
        """(..., d_model, width) -> (..., d_model): one position for each window."""
        return F.glu(self.linear(windows.flatten(-2)), dim=-1)


def with_gradient_scaled(x: Tensor, by: float) -> Tensor:
    """x, whose gradient is multiplied on its way back."""
    same: Tensor = _ScaledGradient.apply(x, by)  # type: ignore[no-untyped-call]  # torch's
    return same


class _ScaledGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, by: float) -> Tensor:
        ctx.by = by
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None]:
        return upstream * ctx.by, None

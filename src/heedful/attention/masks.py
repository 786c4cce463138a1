"""Masks. There is one meaning in all of heedful: True = may look."""

from __future__ import annotations

import torch
from torch import Tensor


def padding_mask(lengths: Tensor, longest: int) -> Tensor:
    """(B,) lengths -> (B, M): True on the real positions, False on the padding after them."""
    return torch.arange(longest, device=lengths.device) < lengths[:, None]


def causal_mask(length: int, device: torch.device | None = None) -> Tensor:
    """(L, L): position i may look at the positions j <= i, never into the future."""
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()

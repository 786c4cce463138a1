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


def score_bias(mask: Tensor, n_heads: int, dtype: torch.dtype) -> Tensor:
    """A mask (N, 1, L or 1, M) as numbers to add to the scores, (N, H, L or 1, M): 0 where one may
    look, else the lowest there is. For a mask that is used many times."""
    bias = torch.zeros(mask.shape, dtype=dtype, device=mask.device)
    bias = bias.masked_fill_(~mask, torch.finfo(dtype).min)
    return bias.expand(-1, n_heads, -1, -1).contiguous()

"""Masks. There is one meaning in all of heedful: True = may look."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


def padding_mask(lengths: Tensor, longest: int) -> Tensor:
    """(B,) lengths -> (B, M): True on the real positions, False on the padding after them."""
    return torch.arange(longest, device=lengths.device) < lengths[:, None]


def causal_mask(length: int, device: torch.device | None = None) -> Tensor:
    """(L, L): position i may look at the positions j <= i, never into the future."""
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()


class Reach(NamedTuple):
    """How many neighbours a position looks at on each side, besides itself."""

    before: int
    after: int


def window_mask(length: int, reach: Reach, device: torch.device | None = None) -> Tensor:
    """(L, L): position i may look at the positions i - before to i + after."""
    everyone = torch.ones(length, length, dtype=torch.bool, device=device)
    return everyone.tril(reach.after) & everyone.triu(-reach.before)


def score_bias(mask: Tensor, n_heads: int, dtype: torch.dtype) -> Tensor:
    """A mask (N, 1, L or 1, M) as numbers to add to the scores, (N, H, L or 1, M): 0 where one may
    look, else the lowest there is. For a mask that is used many times."""
    bias = torch.zeros(mask.shape, dtype=dtype, device=mask.device)
    bias = bias.masked_fill_(~mask, torch.finfo(dtype).min)
    return bias.expand(-1, n_heads, -1, -1).contiguous()

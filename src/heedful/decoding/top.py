"""The largest of many, for rows as long as a vocabulary."""

from __future__ import annotations

import torch
from torch import Tensor

BLOCK = 64


def top(x: Tensor, n: int) -> tuple[Tensor, Tensor]:
    """As `x.topk(n)` over the last dimension (all of it if it has fewer), where n is small.

    The n largest stand in the n blocks that have the largest maxima: one pass finds those, and
    only they are sorted. topk itself would sort pairs of all values and places.
    """
    length = x.shape[-1]
    n = min(n, length)
    if length < 4 * n * BLOCK or x.device.type != "cpu":
        return x.topk(n)
    whole = length // BLOCK * BLOCK
    blocks = x[..., :whole].view(*x.shape[:-1], -1, BLOCK)  # (..., length / BLOCK, BLOCK)
    which = blocks.amax(-1).topk(n).indices  # (..., n)
    inside = blocks.gather(-2, which[..., None].expand(*which.shape, BLOCK)).flatten(-2)
    values, flat = torch.cat((inside, x[..., whole:]), dim=-1).topk(n)  # and the rest of the row
    block = which.gather(-1, torch.clamp(flat // BLOCK, max=n - 1))
    places = torch.where(flat < n * BLOCK, block * BLOCK + flat % BLOCK, whole + flat - n * BLOCK)
    return values, places

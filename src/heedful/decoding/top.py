"""The largest of many, for rows as long as a vocabulary."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
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
    padded = F.pad(x, (0, -length % BLOCK), value=-math.inf)
    blocks = padded.view(*padded.shape[:-1], -1, BLOCK)  # (..., length / BLOCK, BLOCK)
    which = blocks.amax(-1).topk(n).indices  # (..., n)
    inside = blocks.gather(-2, which[..., None].expand(*which.shape, BLOCK))
    values, flat = inside.flatten(-2).topk(n)
    places = which.gather(-1, flat // BLOCK) * BLOCK + flat % BLOCK
    return values, torch.clamp(places, max=length - 1)

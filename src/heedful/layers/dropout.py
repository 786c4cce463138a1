"""Dropout whose masks are cheap to draw on a CPU."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def keep_mask(shape: torch.Size, drop_256ths: int) -> Tensor:
    """1 / keep where an element stays, 0 where it goes.

    torch draws one number for each element, on one core; one 64-bit draw here serves eight
    elements, a byte each. The probability is therefore a whole number of 256ths.
    """
    n = shape.numel()
    draws = torch.empty((n + 7) // 8, dtype=torch.int64).random_(-(2**63), None)
    kept = draws.view(torch.uint8)[:n].view(shape) >= drop_256ths
    return kept.float().mul_(256 / (256 - drop_256ths))


class Dropout(nn.Module):
    """While training, zeroes each element with probability p and divides the others by 1 - p.

    On a CPU p is rounded to a whole number of 256ths.
    """

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        """Any shape -> the same shape."""
        if not self.training or self.p == 0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        return x * keep_mask(x.shape, drop_256ths=min(255, round(self.p * 256)))

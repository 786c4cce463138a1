"""Dropout whose masks are cheap to draw and to apply on a CPU."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

_own = threading.local()


@contextmanager
def drawing_from(generator: torch.Generator) -> Iterator[None]:
    """Inside it, and in this thread, masks on the CPU are drawn from this generator."""
    _own.generator = generator
    try:
        yield
    finally:
        _own.generator = None


def keep_mask(shape: torch.Size, drop_256ths: int) -> Tensor:
    """1 where an element stays, 0 where it goes, as floats.

    torch draws one number for each element, on one core; one 64-bit draw here serves eight
    elements, a byte each. The probability is therefore a whole number of 256ths.
    """
    n = shape.numel()
    draws = torch.empty((n + 7) // 8, dtype=torch.int64)
    draws.random_(-(2**63), None, generator=getattr(_own, "generator", None))
    kept = torch.empty(shape)
    return torch.ge(draws.view(torch.uint8)[:n].view(shape), drop_256ths, out=kept)


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
        return self.added(x.new_zeros(()), x)

    def added(self, x: Tensor, y: Tensor) -> Tensor:
        """x + dropout(y), in one pass over the elements where that is possible."""
        in_one = self.training and self.p > 0 and y.device.type == "cpu" and x.dtype == y.dtype
        if not in_one:
            dropped: Tensor = self(y)
            return x + dropped
        drop_256ths = min(255, round(self.p * 256))
        mask = keep_mask(y.shape, drop_256ths)
        scale = 256 / (256 - drop_256ths)
        added: Tensor = _AddMasked.apply(x, y, mask, scale)  # type: ignore[no-untyped-call]  # torch's
        return added


class _AddMasked(torch.autograd.Function):
    """x + scale · mask · y; nothing but the mask is kept for the gradient."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, y: Tensor, mask: Tensor, scale: float) -> Tensor:
        ctx.save_for_backward(mask)
        ctx.scale = scale
        return torch.addcmul(x, y, mask.to(y.dtype), value=scale)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor | None, Tensor, None, None]:
        (mask,) = ctx.saved_tensors
        nothing = upstream.new_zeros(())
        of_y = torch.addcmul(nothing, upstream, mask.to(upstream.dtype), value=ctx.scale)
        return upstream if ctx.needs_input_grad[0] else None, of_y, None, None

"""The learning rate."""

from __future__ import annotations

import math
from dataclasses import dataclass

from heedful.training.config import Shape


def paper_rate(step: int, *, d_model: int, warmup: int) -> float:
    """Equation (3): d_model^-0.5 · min(step^-0.5, step · warmup^-1.5), for step = 1, 2, …"""
    return min(1 / math.sqrt(step), step / math.sqrt(warmup**3)) / math.sqrt(d_model)


@dataclass(frozen=True)
class Schedule:
    """Up to the peak in `warmup` steps, then down: as the paper does, or straight to nothing."""

    shape: Shape
    peak: float
    warmup: int

    def rate(self, step: int, progress: float) -> float:
        """Of a step, the first being 1; progress is how much of the way is gone, from 0 to 1."""
        if self.shape == "inverse_sqrt":
            return self.peak * min(step / self.warmup, math.sqrt(self.warmup / step))
        return self.peak * min(step / self.warmup, max(0.0, 1 - progress))

"""The learning rate."""

from __future__ import annotations

import math


def paper_rate(step: int, *, d_model: int, warmup: int) -> float:
    """Equation (3): d_model^-0.5 · min(step^-0.5, step · warmup^-1.5), for step = 1, 2, …"""
    return min(1 / math.sqrt(step), step / math.sqrt(warmup**3)) / math.sqrt(d_model)


def inverse_sqrt(step: int, *, peak: float, warmup: int) -> float:
    """The same shape with a peak of one's own: the paper's is 1 / √(d_model · warmup)."""
    return peak * min(step / warmup, math.sqrt(warmup / step))


def linear(step: int, *, peak: float, warmup: int, progress: float) -> float:
    """Up in `warmup` steps, then straight down, to nothing when progress reaches 1."""
    return peak * min(step / warmup, max(0.0, 1 - progress))

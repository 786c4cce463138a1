"""The learning rate."""

from __future__ import annotations


def paper_rate(step: int, *, d_model: int, warmup: int) -> float:
    """Equation (3): d_model^-0.5 · min(step^-0.5, step · warmup^-1.5), for step = 1, 2, …"""
    return float(d_model**-0.5 * min(step**-0.5, step * warmup**-1.5))


def inverse_sqrt(step: int, *, peak: float, warmup: int) -> float:
    """The same shape with a peak of one's own: the paper's is 1 / √(d_model · warmup)."""
    return peak * min(step / warmup, (warmup / step) ** 0.5)


def linear(step: int, *, peak: float, warmup: int, progress: float) -> float:
    """Up in `warmup` steps, then straight down, to nothing when progress reaches 1."""
    return peak * min(step / warmup, max(0.0, 1 - progress))

"""What a head is like, in two numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heedful.see.recording.attention import Attention


@dataclass(frozen=True)
class HeadStatistics:
    """Means over the positions that look."""

    entropy: float
    """Bits: 0 if each looks at one position alone, log2(n) if at all n evenly."""
    distance: float
    """Positions between the one that looks and those looked at, weighted."""


def head_statistics(attention: Attention) -> list[HeadStatistics]:
    """Of each head."""
    weights = attention.weights.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = -np.where(weights > 0, weights * np.log2(weights), 0).sum(-1)  # (heads, queries)
    n_queries, n_keys = weights.shape[1:]
    apart = np.abs(np.arange(n_queries)[:, None] - np.arange(n_keys))
    distance = (weights * apart).sum(-1)
    return [
        HeadStatistics(float(b.mean()), float(d.mean()))
        for b, d in zip(bits, distance, strict=True)
    ]

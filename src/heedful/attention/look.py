"""One attention, seen whole: for those who want to know how its weights came about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import Tensor


@dataclass(frozen=True)
class Look:
    """What asked, what it was asked of, and what came of it. Models with one head have H = 1."""

    queries: Tensor  # (B, H, L, d_query)
    keys: Tensor  # (B, H, M, d_key), as the score takes them
    values: Tensor  # (B, H, M, d_v)
    scores: Tensor  # (B, H, L, M), as the softmax takes them but for the mask
    divisor: float  # what they have been divided by: √d_k, or 1
    mask: Tensor | None  # broadcasts to (B, H, L, M), True = may look
    weights: Tensor  # (B, H, L, M)
    outcome: Tensor  # (B, L, d): what the model makes of it
    made_by: str = "W_O"  # the layer that does
    joined: Tensor | None = None  # (B, L, d'): what goes into it, if more than the context
    score: str = "q · k"  # what the scores were before they were divided
    factor: Tensor | None = None  # (B, H, L, M): what the weights were multiplied by at last

    @classmethod
    def of_one_head(
        cls,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        scores: Tensor,
        mask: Tensor,
        weights: Tensor,
        outcome: Tensor,
        *,
        divisor: float = 1.0,
        **more: Any,
    ) -> Look:
        """The same without the dimension of the heads."""
        queries, keys, values, scores, mask, weights = (
            part[:, None] for part in (queries, keys, values, scores, mask, weights)
        )
        return cls(queries, keys, values, scores, divisor, mask, weights, outcome, **more)


Recorder = Callable[[Look], None]
"""Where none is given, nothing is kept."""

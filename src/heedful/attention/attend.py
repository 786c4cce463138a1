"""Attention: scores, weights, and the mean of the values by these weights.

With scaled dot-product scores, equation (1) of "Attention Is All You Need".
"""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from heedful.attention.masks import causal_mask
from heedful.attention.scores import scaled_dot
from heedful.attention.short import attend_short

Scoring = Callable[[Tensor, Tensor], Tensor]
"""query (..., L, d), key (..., M, d) -> scores (..., L, M); see `scores`."""

# Up to 128 x 128 scores, two plain matrix products beat torch's blocked kernel on a CPU; above it,
# not storing the (L, M) scores is worth more.
SHORT = 128


def attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    score: Scoring = scaled_dot,
) -> tuple[Tensor, Tensor]:
    """Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V, or with another score, and its weights.

    query (..., L, d_k), key (..., M, d_k), value (..., M, d_v); mask, True = may look, anything
    that broadcasts to (..., L, M) -> context (..., L, d_v), weights (..., L, M).
    """
    weights = weigh(query, key, mask, score)
    return weights @ value, weights


def weigh(query: Tensor, key: Tensor, mask: Tensor | None, score: Scoring) -> Tensor:
    """softmax of the scores, over the keys that may be looked at -> (..., L, M). The mask may also
    be a `score_bias`."""
    scores = score(query, key)
    if mask is not None and mask.dtype != torch.bool:
        scores = scores + mask
    elif mask is not None:
        # The lowest number instead of -inf: its weight is exactly 0 all the same, and a row that
        # may look nowhere gets even weights, not nan.
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return scores.softmax(-1)


def attend_unseen(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    score: Scoring | None = None,
    *,
    causal: bool = False,
) -> Tensor:
    """The context of `attend` alone, by whichever way is fastest if nobody wants the weights;
    `causal` stands for the causal mask, which need not exist where sequences are long. The mask may
    also be a `score_bias`. Any score but the scaled dot product, which has ways of its own, forms
    all the weights.

    query (B, H, L, d_k), key (B, H, M, d_k), value (B, H, M, d_v) -> (B, H, L, d_v).
    """
    if score is not None:
        mask = causal_mask(query.shape[-2], query.device) if causal else mask
        return attend(query, key, value, mask, score)[0]
    plain = query.device.type == "cpu" and query.dtype == torch.float32
    if plain and query.shape[-2] * key.shape[-2] <= SHORT**2:
        if causal:
            mask = causal_mask(query.shape[-2], query.device)
        return attend_short(query, key, value, mask)
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=causal)

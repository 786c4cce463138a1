"""Scaled dot-product attention, equation (1) of "Attention Is All You Need"."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from heedful.attention.masks import causal_mask
from heedful.attention.short import attend_short

# Up to 128 x 128 scores, two plain matrix products beat torch's blocked kernel on a CPU; above it,
# not storing the (L, M) scores is worth more.
SHORT = 128


def attend(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V, and the weights that it used.

    query (..., L, d_k), key (..., M, d_k), value (..., M, d_v); mask, True = may look, anything
    that broadcasts to (..., L, M) -> context (..., L, d_v), weights (..., L, M).
    """
    scores = (query / math.sqrt(query.shape[-1])) @ key.transpose(-2, -1)  # (..., L, M)
    if mask is not None:
        # The lowest number instead of -inf: its weight is exactly 0 all the same, and a row that
        # may look nowhere gets even weights, not nan.
        scores = scores.masked_fill_(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    return weights @ value, weights


def attend_unseen(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None, *, causal: bool = False
) -> Tensor:
    """The context of `attend` alone, by whichever way is fastest if nobody wants the weights;
    `causal` stands for the causal mask, which need not exist where sequences are long. The mask may
    also be a `score_bias`.

    query (B, H, L, d_k), key (B, H, M, d_k), value (B, H, M, d_v) -> (B, H, L, d_v).
    """
    plain = query.device.type == "cpu" and query.dtype == torch.float32
    if plain and query.shape[-2] * key.shape[-2] <= SHORT**2:
        if causal:
            mask = causal_mask(query.shape[-2], query.device)
        return attend_short(query, key, value, mask)
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=causal)

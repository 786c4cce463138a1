"""Attention over short sequences on a CPU: plain batched products, and no pass more than needed."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


def attend_short(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
    """The context of `attend`: query (B, H, L, d_k), key (B, H, M, d_k), value (B, H, M, d_v);
    mask that broadcasts to (B, H, L, M) -> (B, H, L, d_v).

    The scale and the mask go into the product that makes the scores, and the weights take the
    scores' place.
    """
    context: Tensor = _ShortAttention.apply(  # type: ignore[no-untyped-call]  # torch's
        query, key, value, _bias(mask, query)
    )
    return context


def _bias(mask: Tensor | None, query: Tensor) -> Tensor:
    """What to add to the scores, (B * H or 1, L or 1, M): 0 where one may look, else the lowest
    number."""
    if mask is None:
        return query.new_zeros(1, 1, 1)
    bias = mask
    if mask.dtype == torch.bool:
        bias = query.new_zeros(mask.shape).masked_fill_(~mask, torch.finfo(query.dtype).min)
    if bias.dim() == 2 or bias.shape[:-2].numel() == 1:
        return bias.view(1, *bias.shape[-2:])
    return bias.expand(*query.shape[:2], *bias.shape[-2:]).flatten(0, 1)


class _ShortAttention(torch.autograd.Function):
    """weights P = softmax(Q Kᵀ / √d_k + bias), context C = P V; with G = ∂/∂C:

    ∂/∂V = Pᵀ G,  ∂/∂P = G Vᵀ,  ∂/∂scores = P ∘ (∂/∂P - rowsum(P ∘ ∂/∂P)),
    ∂/∂Q = ∂/∂scores K / √d_k,  ∂/∂K = ∂/∂scoresᵀ Q / √d_k.
    """

    @staticmethod
    def forward(ctx: Any, query: Tensor, key: Tensor, value: Tensor, bias: Tensor) -> Tensor:
        q, k, v = query.flatten(0, 1), key.flatten(0, 1), value.flatten(0, 1)  # (B * H, ., d)
        scores = torch.baddbmm(bias, q, k.transpose(1, 2), alpha=1 / math.sqrt(q.shape[-1]))
        weights = torch.softmax(scores, -1, out=scores)
        ctx.save_for_backward(q, k, v, weights)
        return torch.bmm(weights, v).view(*query.shape[:-1], value.shape[-1])

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        q, k, v, weights = ctx.saved_tensors
        heads, scale = upstream.shape[:2], 1 / math.sqrt(q.shape[-1])
        g = upstream.flatten(0, 1)
        of_value = torch.bmm(weights.transpose(1, 2), g)
        of_weights = torch.bmm(g, v.transpose(1, 2))
        of_scores = torch._softmax_backward_data(of_weights, weights, -1, weights.dtype)
        of_scores = of_scores.mul_(scale)
        of_query = torch.bmm(of_scores, k)
        of_key = torch.bmm(of_scores.transpose(1, 2), q)
        query, key, value = (x.view(*heads, *x.shape[1:]) for x in (of_query, of_key, of_value))
        return query, key, value, None

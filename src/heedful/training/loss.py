"""Cross-entropy with label smoothing, without ever holding the whole logits."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd.function import once_differentiable

CHUNK = 256
"""Rows whose logits are formed at once: few enough that they stay in the cache."""


def smoothed_loss(
    hidden: Tensor, table: Tensor, target: Tensor, *, smoothing: float, padding: int
) -> tuple[Tensor, Tensor]:
    """Sum over real tokens of -Σ_w q(w) log p(w), q = (1 - ε) [w = target] + ε / V; and the plain
    -Σ log p(target), without gradient, for perplexity.

    hidden (B, T, d_model), table (V, d_model), target (B, T) ids.
    """
    if hidden.device.type != "cpu":  # no cache to spare there, and autocast wants plain operations
        logits = (hidden @ table.T).flatten(0, 1).float()
        total = partial(
            F.cross_entropy, logits, target.flatten(), ignore_index=padding, reduction="sum"
        )
        return total(label_smoothing=smoothing), total().detach()
    real = (target != padding).flatten().nonzero()[:, 0]
    rows = hidden.flatten(0, 1).index_select(0, real).float()  # (n, d_model)
    with torch.autocast("cpu", enabled=False):  # it multiplies in place, in single precision
        loss, plain = _SmoothedLoss.apply(  # type: ignore[no-untyped-call]
            rows, table, target.flatten()[real], smoothing
        )
    return loss, plain


class _SmoothedLoss(torch.autograd.Function):
    """Forms each chunk's gradient while its logits are at hand.

    With logits z = h Wᵀ:  loss = logsumexp(z) - (1 - ε) z_target - ε mean(z),
                           ∂loss/∂z = softmax(z) - q.
    """

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, table: Tensor, target: Tensor, smoothing: float
    ) -> tuple[Tensor, Tensor]:
        with_gradient = hidden.requires_grad or table.requires_grad
        hidden_gradient = torch.empty_like(hidden) if with_gradient else None
        table_gradient = torch.zeros_like(table) if with_gradient else None
        loss = torch.zeros((), device=hidden.device, dtype=torch.float64)
        plain = torch.zeros((), device=hidden.device, dtype=torch.float64)
        even = smoothing / len(table)
        table_mean = table.mean(0)
        for start in range(0, len(hidden), CHUNK):
            h, y = hidden[start : start + CHUNK], target[start : start + CHUNK, None]
            z = h @ table.T  # (chunk, V)
            total = z.logsumexp(-1, keepdim=True)
            nll = (total - z.gather(1, y)).sum(dtype=torch.float64)
            uniform = (total[:, 0] - h @ table_mean).sum(dtype=torch.float64)
            loss += (1 - smoothing) * nll + smoothing * uniform
            plain += nll
            if hidden_gradient is None or table_gradient is None:
                continue
            gradient = z.sub_(total).exp_().sub_(even)  # softmax - ε/V
            gradient.scatter_add_(1, y, gradient.new_full(y.shape, smoothing - 1))
            torch.mm(gradient, table, out=hidden_gradient[start : start + CHUNK])
            table_gradient.addmm_(gradient.T, h)
        if hidden_gradient is not None and table_gradient is not None:
            ctx.save_for_backward(hidden_gradient, table_gradient)
        plain = plain.float()
        ctx.mark_non_differentiable(plain)
        return loss.float(), plain

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, upstream: Tensor, _: Tensor) -> tuple[Tensor, Tensor, None, None]:
        hidden_gradient, table_gradient = ctx.saved_tensors
        return hidden_gradient * upstream, table_gradient * upstream, None, None

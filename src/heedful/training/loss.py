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
        loss, plain = _SmoothedLoss.apply(  # type: ignore[no-untyped-call]  # torch's
            rows, table, target.flatten()[real], smoothing
        )
    return loss, plain


class _SmoothedLoss(torch.autograd.Function):
    """Forms each chunk's gradient while its logits are at hand.

    With logits z = h Wᵀ:  loss = logsumexp(z) - (1 - ε) z_target - ε mean(z),
                           ∂loss/∂z = softmax(z) - q.
    softmax(z) takes the place of z in the one buffer that all chunks share. q never exists: what
    it adds to the gradients of h and W are a few rows, and the same row for all.
    """

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, table: Tensor, target: Tensor, smoothing: float
    ) -> tuple[Tensor, Tensor]:
        with_gradient = hidden.requires_grad or table.requires_grad
        ctx.gradients = _Gradients(hidden, table, target, smoothing) if with_gradient else None
        sums = torch.zeros(2, device=hidden.device, dtype=torch.float64)  # -log p, and evenly
        mean = table.mean(0)
        buffer = hidden.new_empty(min(CHUNK, len(hidden)), len(table))
        for start in range(0, len(hidden), CHUNK):
            h, y = hidden[start : start + CHUNK], target[start : start + CHUNK, None]
            z = torch.mm(h, table.T, out=buffer[: len(h)])  # (chunk, V)
            z_target, z_mean = z.gather(1, y)[:, 0], h @ mean
            p = torch.softmax(z, -1, out=z)
            nll = _negative_log(p, h, table, y)
            sums[0] += nll.sum(dtype=torch.float64)
            sums[1] += (nll + z_target - z_mean).sum(dtype=torch.float64)
            if ctx.gradients is not None:
                ctx.gradients.add(start, p)
        loss, plain = ((1 - smoothing) * sums[0] + smoothing * sums[1]).float(), sums[0].float()
        ctx.mark_non_differentiable(plain)
        return loss, plain

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, upstream: Tensor, _: Tensor) -> tuple[Tensor, Tensor, None, None]:
        if ctx.gradients is None:
            raise RuntimeError(
                "got a second backward through smoothed_loss, which can be differentiated once: "
                "its gradients were formed in place. Call smoothed_loss again for another backward"
            )
        of_hidden, of_table = ctx.gradients.finished()
        ctx.gradients = None
        return of_hidden.mul_(upstream), of_table.mul_(upstream), None, None


_TINY = torch.finfo(torch.float32).tiny
"""Probabilities below it lose digits, and then are 0."""


def _negative_log(p: Tensor, hidden: Tensor, table: Tensor, target: Tensor) -> Tensor:
    """-log p(target) of each row, from p (n, V) and target (n, 1). Where the probability is too
    small to be represented, from the row's logits, which are formed once more."""
    likelihood = p.gather(1, target)[:, 0]
    nll = -likelihood.log()
    tiny = (likelihood < _TINY).nonzero()[:, 0]
    if len(tiny):
        nll[tiny] = F.cross_entropy(hidden[tiny] @ table.T, target[tiny, 0], reduction="none")
    return nll


class _Gradients:
    """∂loss/∂h = (p - q) W and ∂loss/∂W = (p - q)ᵀ h, with q = (1 - ε) [w = target] + ε / V."""

    def __init__(self, hidden: Tensor, table: Tensor, target: Tensor, smoothing: float) -> None:
        self._h, self._table, self._target = hidden, table, target
        self._right, self._even = 1 - smoothing, smoothing / len(table)
        self._of_hidden = torch.empty_like(hidden)
        self._of_table = torch.zeros_like(table)

    def add(self, start: int, p: Tensor) -> None:
        """The share of p, the probabilities (chunk, V) of the rows from `start` on."""
        rows = slice(start, start + len(p))
        torch.mm(p, self._table, out=self._of_hidden[rows])
        self._of_table.addmm_(p.T, self._h[rows])

    def finished(self) -> tuple[Tensor, Tensor]:
        """Both, with the share of q."""
        evenly = self._even * self._table.sum(0)
        self._of_hidden.sub_(evenly).sub_(self._table[self._target], alpha=self._right)
        self._of_table.sub_(self._even * self._h.sum(0))
        self._of_table.index_add_(0, self._target, self._h, alpha=-self._right)
        return self._of_hidden, self._of_table

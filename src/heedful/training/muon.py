"""Muon (Jordan et al. 2024): the step of a matrix is its momentum, made orthogonal.

The gradient of a weight matrix has a few large directions and many small ones, and Adam mostly
goes along the large. Muon goes equally far along all of them, and needs fewer steps. What is not a
matrix between two layers (tables of embeddings, biases, norms) is left to Adam.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor, nn

MOMENTUM = 0.95
SLOWER = 0.1
"""The root mean square of a matrix's step, in rates. Adam's is about 0.2, and with it one rate
suits both (Liu et al. 2025); but the tables of words learn best at a higher rate than matrices."""


ROUNDS = (
    (8.0934, -23.6204, 17.4462),
    (3.6366, -2.7219, 0.5365),
    (2.6613, -1.9772, 0.4526),
)
"""a, b, c of a s + b s³ + c s⁵ for the singular values s of each round: nowhere farther from 1 than
it must be, on [0.01, 1] first and then on what the round before made of it (as Amsel et al. 2025
choose theirs)."""


class Muon(torch.optim.Optimizer):
    """Muon for matrices, Adam for the others, with one rate."""

    def __init__(
        self,
        matrices: Mapping[Tensor, list[int]],
        others: Iterable[nn.Parameter],
        *,
        betas: tuple[float, float],
        eps: float,
    ) -> None:
        """Each matrix comes with the rows of those that lie below each other in it."""
        self._rows = dict(matrices)
        groups: list[dict[str, Any]] = [{"params": list(self._rows)}, {"params": list(others)}]
        super().__init__(groups, {"lr": 0.0})
        self._adam = torch.optim.Adam(groups[1]["params"], betas=betas, eps=eps, fused=True)
        self._adam.state = self.state  # one state for all, by weight

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]  # no closure
        """One step of every weight."""
        group, rest = self.param_groups
        self._adam.param_groups[0]["lr"] = rest["lr"]
        self._adam.step()
        by_shape: dict[torch.Size, list[tuple[Tensor, Tensor]]] = defaultdict(list)
        for weight in group["params"]:
            if weight.grad is None:
                continue
            rows, direction = self._rows[weight], self._direction(weight)
            for part, along in zip(
                torch.split(weight, rows), torch.split(direction, rows), strict=True
            ):
                by_shape[part.shape].append((part, along))
        for shape, parts in by_shape.items():
            far = group["lr"] * SLOWER * math.sqrt(max(shape))
            for (part, _), along in zip(
                parts, orthogonal(torch.stack([along for _, along in parts])), strict=True
            ):
                part.sub_(along, alpha=far)

    def _direction(self, weight: nn.Parameter) -> Tensor:
        """Nesterov's momentum of the gradient."""
        assert weight.grad is not None
        state = self.state[weight]
        if not state:
            state["momentum"] = torch.zeros_like(weight)
        momentum = state["momentum"].lerp_(weight.grad, 1 - MOMENTUM)
        return weight.grad.lerp(momentum, MOMENTUM)


def orthogonal(x: Tensor) -> Tensor:
    """U Vᵀ, nearly, of each matrix X = U S Vᵀ of x (n, rows, columns).

    Newton and Schulz's iteration X <- a X + b (X Xᵀ) X + c (X Xᵀ)² X draws every singular value
    towards 1: three rounds bring those from a hundredth of the norm up between 0.73 and 1.27.
    """
    tall = x.shape[1] > x.shape[2]
    x = x.transpose(1, 2) if tall else x  # X Xᵀ is then the smaller of the two products
    x = x / (1.01 * x.norm(dim=(1, 2), keepdim=True) + 1e-7)  # none above 1, rounding included
    for a, b, c in ROUNDS:
        gram = torch.bmm(x, x.transpose(1, 2))
        factor = torch.baddbmm(gram, gram, gram, beta=b, alpha=c)
        x = torch.baddbmm(x, factor, x, beta=a)
    return x.transpose(1, 2) if tall else x

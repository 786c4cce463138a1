"""How many sequential steps lie between the first input and the last output, found by following
what depends on what: by gradients, not by formulas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import torch
from torch import Tensor, nn

from heedful.layers import Recurrent


def stacked_path(layer: nn.Module, n: int, d: int) -> int:
    """Layers like this that must lie on each other until the last of n outputs depends on the
    first input."""
    links = dependence(layer, n, d)

    def same() -> Iterator[Tensor]:
        while True:
            yield links

    return _layers_to_the_end(same(), n)


def dilated_path(layer: nn.Module, n: int, d: int) -> int:
    """The same where each layer looks at places k times as far apart as the one below, with the k
    places that the last output of this one looks at."""
    offsets = dependence(layer, n, d)[-1].nonzero()[:, 0] - (n - 1)  # 0, -1, … -(k - 1)

    def wider() -> Iterator[Tensor]:
        apart = 1
        while True:
            places = torch.arange(n)[:, None] + apart * offsets  # (n, k)
            links = torch.zeros(n, n, dtype=torch.bool)
            rows, columns = ((places >= 0) & (places < n)).nonzero().T
            links[rows, places[rows, columns]] = True
            yield links
            apart *= len(offsets)

    return _layers_to_the_end(wider(), n)


def recurrent_path(layer: nn.Module, n: int, d: int) -> int:
    """Time steps that are taken, one after the other, until the last of n outputs depends on the
    first input."""
    recurrent = cast(Recurrent, layer.recurrent).double()  # after many steps little is left of it
    inputs = torch.randn(n, 1, d, dtype=torch.float64)
    first = inputs[0].requires_grad_()
    output, state = recurrent.step(first, torch.zeros(1, 1, 1, d, dtype=torch.float64))
    steps = 1
    for x in inputs[1:]:
        output, state = recurrent.step(x, state)
        steps += 1
    (gradient,) = torch.autograd.grad(output.sum(), first)
    if not gradient.any():
        raise ValueError(f"after {steps} steps nothing is left of the first input")
    return steps


def dependence(layer: nn.Module, n: int, d: int) -> Tensor:
    """(n, n): whether output i depends on input j."""
    torch.manual_seed(1)
    x = torch.randn(1, n, d, requires_grad=True)
    outputs = layer(x)[0]  # (n, d)
    rows = []
    for output in outputs:
        (gradient,) = torch.autograd.grad(output.sum(), x, retain_graph=True)
        rows.append(gradient[0].abs().sum(-1) > 0)
    return torch.stack(rows)


def _layers_to_the_end(links: Iterator[Tensor], n: int) -> int:
    """links[i, j]: output i of a layer depends on its input j."""
    reached = torch.zeros(n, dtype=torch.bool)
    reached[0] = True
    layers = 0
    while not reached[-1]:
        wider = next(links)[:, reached].any(1)
        if torch.equal(wider, reached):
            raise ValueError(f"no number of such layers leads from the first of {n} to the last")
        reached, layers = wider, layers + 1
    return layers

"""How many sequential steps lie between the first input and the last output, and how many must be
taken in a row, found by following what depends on what: by gradients, not by formulas."""

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
    links = _links_in_time(layer, n, d)

    def same() -> Iterator[Tensor]:
        while True:
            yield links

    return _layers_to_the_end(same(), len(links))


def steps_in_a_row(layer: nn.Module, n: int, d: int) -> int:
    """The longest chain of time steps of which each needs the outcome of the one before."""
    links = _links_in_time(layer, n, d)
    reached, steps = torch.zeros(len(links), dtype=torch.bool), -1
    reached[:n] = True  # the inputs need nothing
    while reached.any():
        reached, steps = links[:, reached].any(1), steps + 1
    return steps


def _links_in_time(layer: nn.Module, n: int, d: int) -> Tensor:
    """(3 n, 3 n): what depends on what after one more step, among the inputs, the states and the
    outputs of all n times. Every time has the same step: what its outcome depends on is found once,
    by gradients."""
    recurrent = cast(Recurrent, layer.recurrent)
    torch.manual_seed(1)
    x = torch.randn(1, d, requires_grad=True)
    old = torch.randn(1, 1, recurrent.parts, d, requires_grad=True)
    output, new = recurrent.step(x, old)
    links = torch.zeros(3, n, 3, n, dtype=torch.bool)  # outcome, its time, what it needs, its time
    now, before = torch.arange(n), torch.arange(n - 1)
    for kind, outcome in ((1, new), (2, output)):
        needs = torch.autograd.grad(outcome.sum(), [x, old], retain_graph=True, allow_unused=True)
        on_input, on_state = (need is not None and bool(need.any()) for need in needs)
        links[kind, now, 0, now] = on_input
        links[kind, before + 1, 1, before] = on_state
    return links.flatten(2).flatten(0, 1)


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
            raise ValueError("no number of such steps leads from the first to the last")
        reached, layers = wider, layers + 1
    return layers

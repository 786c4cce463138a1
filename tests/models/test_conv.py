"""Gehring's convolutional model beside its equations, position by position."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from heedful.layers import GatedConvolution, NormalisedLinear
from heedful.models.config import ConvConfig
from heedful.models.conv import Conv
from heedful.models.tables import Sizes

D, WIDTH, LAYERS = 4, 3, 2
SOURCE = torch.tensor([[4, 5, 6, 7, 9, 3]])
TARGET = torch.tensor([[2, 4, 5, 8, 6]])
MASK = torch.ones(1, 6, dtype=torch.bool)
ROOT = math.sqrt(0.5)


def make() -> Conv:
    torch.manual_seed(2)
    config = ConvConfig(d_model=D, width=WIDTH, n_layers=LAYERS, tie="none", dropout=0.0)
    model = Conv(config, Sizes(13, 11, 9)).eval().double()
    with torch.no_grad():  # a gain that is not the length it begins with, a bias that is not nought
        for module in model.modules():
            if isinstance(module, NormalisedLinear):
                module.gain.mul_(1.3)
                module.bias.normal_()
    return model


def linear(layer: NormalisedLinear, x: Tensor) -> Tensor:
    """g V / |V| x + b."""
    rows = [
        layer.gain[i] * layer.direction[i] / layer.direction[i].norm() @ x + layer.bias[i]
        for i in range(len(layer.bias))
    ]
    return torch.stack(rows)


def gated(layer: GatedConvolution, xs: list[Tensor], places: list[int]) -> Tensor:
    """GLU(W [x at these places] + b); beyond the ends there is nought."""
    window = [xs[p] if 0 <= p < len(xs) else torch.zeros(D, dtype=torch.float64) for p in places]
    both = linear(layer.linear, torch.stack(window, dim=1).flatten())
    return both[:D] * torch.sigmoid(both[D:])


@torch.no_grad()
def test_by_hand() -> None:
    model, seen = make(), dict[int, Tensor]()
    memory = model.encode(SOURCE, MASK)
    found = model.decode(
        TARGET, memory, lambda kind, n, look: seen.__setitem__(n, look.weights[0, 0])
    )

    e = [
        model.embed_source.table[w] + model.source_positions.table[j]
        for j, w in enumerate(SOURCE[0])
    ]
    z = e
    for reader in model.encoder:
        z = [(z[j] + gated(reader.convolution, z, [j - 1, j, j + 1])) * ROOT for j in range(len(z))]
    values = [(z[j] + e[j]) * ROOT for j in range(len(z))]

    g = [
        model.embed_target.table[w] + model.target_positions.table[i]
        for i, w in enumerate(TARGET[0])
    ]
    x = g
    for n, layer in enumerate(model.decoder, start=1):
        after = []
        for i in range(len(x)):
            h = gated(layer.convolution, x, [i - 2, i - 1, i])
            query = (linear(layer.to_query, h) + g[i]) * ROOT
            weights = F.softmax(torch.stack([query @ key for key in z]), dim=0)
            torch.testing.assert_close(seen[n][i], weights, atol=1e-6, rtol=1e-6)
            context = sum((weights[j] * values[j] for j in range(len(z))), 0 * h)
            context = linear(layer.from_context, context * math.sqrt(len(z)))
            after.append(((h + context) * ROOT + x[i]) * ROOT)
        x = after
    torch.testing.assert_close(found[0], torch.stack(x) * math.sqrt(D), atol=1e-6, rtol=1e-6)


@torch.no_grad()
def test_a_decoder_keeps_no_more_than_its_windows() -> None:
    model = make()
    state = model.start(model.encode(SOURCE, MASK))
    for token in (2, 4, 5, 8, 6):
        _, state = model.step(torch.tensor([[token]]), state)
        assert state.past.shape == (1, 1, LAYERS, D, WIDTH - 1)

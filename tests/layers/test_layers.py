"""The small parts: each against its equation."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn

from heedful.layers import (
    Dropout,
    Embedding,
    FeedForward,
    LearnedPositions,
    Residual,
    SinusoidalPositions,
)
from heedful.layers.positions import sinusoids


def test_embedding_is_scaled_by_the_root_of_the_width() -> None:
    table = nn.Parameter(torch.tensor([[1.0, 2.0, 3.0, 4.0], [0.0, -1.0, 0.5, 2.0]]))
    assert Embedding(table, 4)(torch.tensor([[1, 0]])).tolist() == [[[0, -2, 1, 4], [2, 4, 6, 8]]]


def test_sinusoids_are_the_papers() -> None:
    table = sinusoids(23, 11)
    for position in (0, 1, 7, 22):
        for i in range(11):
            angle = position / 10_000 ** (2 * (i // 2) / 11)
            expected = math.sin(angle) if i % 2 == 0 else math.cos(angle)
            assert table[position, i] == pytest.approx(expected, abs=1e-6)


def test_sinusoids_have_no_end() -> None:
    positions = SinusoidalPositions(d_model=6, length=4)
    torch.testing.assert_close(positions(3, 29), sinusoids(29, 6)[3:])
    assert not list(positions.parameters())
    assert not positions.state_dict()


def test_learned_positions_end() -> None:
    positions = LearnedPositions(d_model=6, length=4)
    assert positions(1, 4).shape == (3, 6)
    with pytest.raises(ValueError, match=r"position 4 .* only 4"):
        positions(0, 5)


def test_feed_forward_is_equation_two() -> None:
    layer = FeedForward(d_model=5, d_ff=7)
    x = torch.randn(2, 3, 5)
    inner = (x @ layer.widen.weight.T + layer.widen.bias).clamp(min=0)
    torch.testing.assert_close(layer(x), inner @ layer.narrow.weight.T + layer.narrow.bias)


@pytest.mark.parametrize("pre_norm", [False, True])
def test_residual_frames(pre_norm: bool) -> None:
    frame = Residual(d_model=5, dropout=0.3, pre_norm=pre_norm).eval()
    x = torch.randn(2, 3, 5)
    expected = x + frame.norm(x) * 2 if pre_norm else frame.norm(x + x * 2)
    torch.testing.assert_close(frame(x, lambda x: x * 2), expected)


def test_dropout_drops_the_share_that_it_should_and_keeps_the_mean() -> None:
    torch.manual_seed(1)
    x = torch.ones(1013, 997)
    y = Dropout(0.3)(x)
    assert (y == 0).float().mean().item() == pytest.approx(0.3, abs=2e-3)
    assert y.mean().item() == pytest.approx(1, abs=5e-3)
    assert len(y.unique()) == 2


def test_dropout_draws_anew_each_time_and_repeats_by_seed() -> None:
    layer, x = Dropout(0.5), torch.ones(37, 41)
    torch.manual_seed(1)
    first, second = layer(x), layer(x)
    assert not torch.equal(first, second)
    torch.manual_seed(1)
    assert torch.equal(layer(x), first)


def test_dropout_is_nothing_when_not_training() -> None:
    x = torch.randn(3, 5)
    assert Dropout(0.5).eval()(x) is x
    assert Dropout(0.0)(x) is x


def test_dropout_gives_gradient_to_what_it_kept() -> None:
    x = torch.ones(31, 29, requires_grad=True)
    y = Dropout(0.25)(x)
    torch.autograd.backward(y.sum())
    assert x.grad is not None
    torch.testing.assert_close(x.grad, y.detach())


def test_adding_what_was_dropped_is_one_and_the_same() -> None:
    """x + dropout(y), in one pass and in two, with the gradients of both."""
    layer = Dropout(0.3)
    direction = torch.randn(5, 7, 11)
    found = []
    for in_one_pass in (True, False):
        torch.manual_seed(4)
        x, y = (torch.randn(5, 7, 11, requires_grad=True) for _ in range(2))
        torch.manual_seed(5)
        out = layer.added(x, y) if in_one_pass else x + layer(y)
        torch.autograd.backward((out * direction).sum())
        assert x.grad is not None
        assert y.grad is not None
        found.append((out.detach(), x.grad, y.grad))
    for one, two in zip(*found, strict=True):
        torch.testing.assert_close(one, two)
    assert (found[0][2] == 0).float().mean() > 0.15

"""Gated convolutions beside torch's own."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from heedful.layers import GatedConvolution, Maxout, with_gradient_scaled

D, WIDTH, LENGTH = 3, 5, 11


def make(*, causal: bool) -> GatedConvolution:
    torch.manual_seed(7)
    convolution = GatedConvolution(d_model=D, width=WIDTH, dropout=0.1, causal=causal)
    with torch.no_grad():
        convolution.linear.gain.mul_(1.7)
        convolution.linear.bias.normal_()
    return convolution


@pytest.mark.parametrize(("causal", "padding"), [(True, (4, 0)), (False, (2, 2))])
@torch.no_grad()
def test_a_convolution_and_its_gate(causal: bool, padding: tuple[int, int]) -> None:
    convolution, x = make(causal=causal), torch.randn(2, LENGTH, D)
    norm = convolution.linear.direction.norm(dim=1, keepdim=True)
    weight = (convolution.linear.gain[:, None] * convolution.linear.direction / norm).view(
        2 * D, D, WIDTH
    )
    both = F.conv1d(F.pad(x.transpose(1, 2), padding), weight, convolution.linear.bias)
    expected = (both[:, :D] * both[:, D:].sigmoid()).transpose(1, 2)
    torch.testing.assert_close(convolution(x), expected, atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_the_future_is_not_seen() -> None:
    convolution, x = make(causal=True), torch.randn(1, LENGTH, D)
    other = x.clone()
    other[:, 6:] += 1
    before, after = convolution(x), convolution(other)
    assert torch.equal(before[:, :6], after[:, :6])
    assert not torch.isclose(before[:, 6:], after[:, 6:]).all()


@torch.no_grad()
def test_variance_stays_as_it_is() -> None:
    torch.manual_seed(1)
    convolution = GatedConvolution(d_model=64, width=3, dropout=0.0, causal=False)
    passed = convolution(torch.randn(8, 50, 64))
    assert 0.7 < passed.var().item() < 1.6


def test_the_gradient_alone_is_scaled() -> None:
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    same = with_gradient_scaled(x, 0.25)
    assert same.tolist() == [2.0, 3.0]
    torch.autograd.backward(same.square().sum())
    assert x.grad is not None
    assert x.grad.tolist() == [1.0, 1.5]


@torch.no_grad()
def test_maxout_takes_the_greater() -> None:
    layer, x = Maxout(3, 2), torch.randn(5, 3)
    w, b = layer.both.weight, layer.both.bias
    one, other = x @ w[:2].T + b[:2], x @ w[2:].T + b[2:]
    torch.testing.assert_close(layer(x), torch.where(one > other, one, other))

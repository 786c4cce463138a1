"""Recurrent layers beside their equations, a step at a time."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from heedful.layers import Recurrent

D_INPUT, D, BATCH, LENGTH = 3, 5, 2, 7


def by_hand(
    cell: str, weights: list[Tensor], x: Tensor, h: Tensor, c: Tensor
) -> tuple[Tensor, Tensor]:
    """One step of one layer in one direction: x (d_input,), h and c (d,)."""
    w, u, b_w, b_u = weights
    from_x, from_h = w @ x + b_w, u @ h + b_u
    match cell:
        case "rnn":
            return torch.tanh(from_x + from_h), c
        case "lstm":
            i, f, g, o = torch.split(from_x + from_h, D)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            return torch.sigmoid(o) * torch.tanh(c), c
        case _:
            r_x, z_x, n_x = torch.split(from_x, D)
            r_h, z_h, n_h = torch.split(from_h, D)
            r, z = torch.sigmoid(r_x + r_h), torch.sigmoid(z_x + z_h)
            n = torch.tanh(n_x + r * n_h)
            return (1 - z) * n + z * h, c


def weights_of(layer: nn.Module, way: str) -> list[Tensor]:
    """W, U and the bias of each, of the direction "" or "_reverse"."""
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    return [layer.get_parameter(f"{name}_l0{way}").detach() for name in names]


def read(cell: str, weights: list[Tensor], x: Tensor) -> Tensor:
    """One sentence (T, d_input) by one layer in one direction -> h after each word (T, d)."""
    h, c, out = torch.zeros(D), torch.zeros(D), []
    for word in x:
        h, c = by_hand(cell, weights, word, h, c)
        out.append(h)
    return torch.stack(out)


def reference(recurrent: Recurrent, x: Tensor) -> Tensor:
    """One sentence (T, d_input) -> the top layer's h (T, d), or of both directions (T, 2 d): the
    second reads the sentence from back to front, and what it knows at a word stands there."""
    for layer in recurrent.layers:
        ways = [read(recurrent.cell, weights_of(layer, ""), x)]
        if layer.bidirectional:
            ways.append(read(recurrent.cell, weights_of(layer, "_reverse"), x.flip(0)).flip(0))
        x = torch.cat(ways, dim=1)
    return x


@pytest.fixture(params=["rnn", "lstm", "gru"])
def cell(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def make(cell: str, *, bidirectional: bool = False) -> Recurrent:
    torch.manual_seed(2)
    return Recurrent(
        cell, d_input=D_INPUT, d_hidden=D, n_layers=2, dropout=0.0, bidirectional=bidirectional
    )


@torch.no_grad()
def test_whole_sequences_are_the_equations(cell: str) -> None:
    recurrent, x = make(cell), torch.randn(BATCH, LENGTH, D_INPUT)
    h, last = recurrent(x)
    for sentence, found in zip(x, h, strict=True):
        torch.testing.assert_close(found, reference(recurrent, sentence), atol=1e-6, rtol=1e-5)
    assert last.shape == (BATCH, 2, recurrent.parts, D)
    torch.testing.assert_close(last[:, -1, 0], h[:, -1])


@torch.no_grad()
def test_both_directions_are_the_equations(cell: str) -> None:
    """Two layers, the upper of which reads both directions of the lower in both directions."""
    recurrent, lengths = make(cell, bidirectional=True), [LENGTH, 4]
    x = torch.randn(BATCH, LENGTH, D_INPUT)
    h, last = recurrent(x, lengths=torch.tensor(lengths))
    for row, length in enumerate(lengths):
        expected = reference(recurrent, x[row, :length])
        torch.testing.assert_close(h[row, :length], expected, atol=1e-6, rtol=1e-5)
        at_the_ends = torch.cat((expected[-1, :D], expected[0, D:]))
        torch.testing.assert_close(last[row, -1, 0], at_the_ends, atol=1e-6, rtol=1e-5)


@torch.no_grad()
def test_steps_are_the_whole_sequence(cell: str) -> None:
    recurrent, x = make(cell), torch.randn(BATCH, LENGTH, D_INPUT)
    first = torch.randn(BATCH, 2, recurrent.parts, D)
    whole, last = recurrent(x, first)
    state, steps = first, []
    for word in x.unbind(1):
        h, state = recurrent.step(word, state)
        steps.append(h)
    torch.testing.assert_close(torch.stack(steps, dim=1), whole, atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(state, last, atol=1e-6, rtol=1e-5)


@torch.no_grad()
def test_each_direction_begins_at_its_own_end(cell: str) -> None:
    """Both directions of a padded sentence are those of the sentence alone."""
    recurrent, x = make(cell, bidirectional=True), torch.randn(BATCH, LENGTH, D_INPUT)
    h, last = recurrent(x, lengths=torch.tensor([LENGTH, 4]))
    alone, last_alone = recurrent(x[1:, :4], lengths=torch.tensor([4]))
    torch.testing.assert_close(h[1:, :4], alone, atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(last[1:], last_alone, atol=1e-6, rtol=1e-5)
    assert (h[1, 4:] == 0).all()
    # The state that reads backwards ends at the first word, the other one at the last.
    torch.testing.assert_close(last[1, -1, 0], torch.cat((h[1, 3, :D], h[1, 0, D:])))


def test_dropout_falls_between_layers_alone() -> None:
    torch.manual_seed(4)
    recurrent = Recurrent("gru", d_input=D_INPUT, d_hidden=D, n_layers=1, dropout=0.9)
    x = torch.randn(BATCH, LENGTH, D_INPUT)
    assert torch.equal(recurrent(x)[0], recurrent(x)[0])
    two = Recurrent("gru", d_input=D_INPUT, d_hidden=D, n_layers=2, dropout=0.9)
    assert not torch.equal(two(x)[0], two(x)[0])


def test_forget_gates_begin_open() -> None:
    recurrent = Recurrent(
        "lstm", d_input=D_INPUT, d_hidden=D, n_layers=2, dropout=0.0, bidirectional=True
    )
    named = dict(recurrent.named_parameters())
    for layer in (0, 1):
        for way in ("", "_reverse"):
            bias = named[f"layers.{layer}.bias_ih_l0{way}"]
            assert (bias[D : 2 * D] == 1).all()
            assert (bias[:D].abs() < 1).all()

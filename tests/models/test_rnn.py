"""The encoder-decoder with one vector, beside its equations."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import Tensor

from heedful.models.config import RnnConfig
from heedful.models.rnn import Rnn
from heedful.models.tables import Sizes

D = 5


def make(**settings: Any) -> Rnn:
    torch.manual_seed(2)
    config = RnnConfig(d_model=D, tie="none", dropout=0.0, **settings)
    return Rnn(config, Sizes(13, 11, 9)).eval()


def source() -> tuple[Tensor, Tensor]:
    ids = torch.tensor([[4, 5, 6, 7, 3], [8, 9, 3, 0, 0]])
    return ids, ids != 0


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
@torch.no_grad()
def test_the_last_state_starts_the_decoder_layer_by_layer(cell: str) -> None:
    model = make(cell=cell, n_layers=2)
    ids, mask = source()
    memory = model.encode(ids, mask)
    for row, length in enumerate(mask.sum(1).tolist()):
        _, last = model.encoder.recurrent(model.embed_source(ids[row, None, :length]))
        torch.testing.assert_close(memory.first[row, None], last, atol=1e-6, rtol=1e-5)
    # h, and for an LSTM c as well, of both layers
    assert memory.first.shape == (2, 2, 2 if cell == "lstm" else 1, D)


@torch.no_grad()
def test_nothing_else_crosses() -> None:
    """What the decoder gets is as large for a long source as for a short one."""
    for context in ("first", "every"):
        model = make(cell="gru", context=context)
        for length in (2, 7):
            ids = torch.full((2, length), 5)
            memory = model.encode(ids, torch.ones_like(ids, dtype=torch.bool))
            tensors = {k: v.shape for k, v in vars(memory).items() if k != "mask"}
            assert tensors == {"first": (2, 2, 1, D), "context": (2, D)}


@torch.no_grad()
def test_the_context_enters_every_step() -> None:
    target = torch.tensor([[2, 4, 5, 6], [2, 4, 5, 6]])
    for context, differs in (("first", False), ("every", True)):
        model = make(cell="gru", context=context)
        memory = model.encode(*source())
        other = type(memory)(memory.first, memory.context + 1, memory.mask)
        same = torch.allclose(model.decode(target, memory), model.decode(target, other))
        assert same is not differs


@torch.no_grad()
def test_decoding_by_hand() -> None:
    """The output gets the state itself, as large as words are."""
    model = make(cell="lstm", n_layers=1)
    memory = model.encode(*source())
    target = torch.tensor([[2, 4, 5], [2, 6, 7]])
    found = model.decode(target, memory)
    state = memory.first
    for t in range(3):
        h, state = model.decoder.step(model.embed_target(target[:, t]), state)
        torch.testing.assert_close(found[:, t], h * math.sqrt(D), atol=1e-6, rtol=1e-5)


@torch.no_grad()
def test_decoding_by_hand_with_the_context_at_every_step() -> None:
    model = make(cell="gru", n_layers=1, context="every")
    memory = model.encode(*source())
    target = torch.tensor([[2, 4, 5], [2, 6, 7]])
    found = model.decode(target, memory)
    assert model.readout is not None
    state = memory.first
    for t in range(3):
        word = model.embed_target(target[:, t])
        h, state = model.decoder.step(torch.cat((word, memory.context), dim=-1), state)
        expected = model.readout(torch.cat((h, word, memory.context), dim=-1))
        torch.testing.assert_close(found[:, t], expected, atol=1e-6, rtol=1e-5)


@torch.no_grad()
def test_both_directions_are_bridged() -> None:
    model = make(cell="lstm", n_layers=1, bidirectional=True)
    ids, mask = source()
    reading = model.encoder.read(model.embed_source(ids), mask)
    assert reading.states.shape == (2, 5, 2 * D)
    h, c = reading.last[:, 0, 0], reading.last[:, 0, 1]  # (B, 2 d_model)
    to_h, to_c = model.bridge.narrow
    first = model.encode(ids, mask).first
    torch.testing.assert_close(first[:, 0, 0], torch.tanh(h @ to_h.weight.T + to_h.bias))
    torch.testing.assert_close(first[:, 0, 1], c @ to_c.weight.T + to_c.bias)


def test_nothing_is_recorded() -> None:
    model, seen = make(), list[Any]()
    memory = model.encode(*source(), record=lambda *what: seen.append(what))
    model.decode(torch.tensor([[2], [2]]), memory, record=lambda *what: seen.append(what))
    assert not seen

"""Bahdanau's and Luong's attention beside their equations, step by step and word by word."""

from __future__ import annotations

import math
from typing import Any, get_args

import pytest
import torch
from torch import Tensor

from heedful.attention.scores import Additive, Cosine, General, Location, ScaledDot
from heedful.models.bahdanau import Bahdanau
from heedful.models.config import BahdanauConfig, LuongConfig
from heedful.models.config.recurrent import ScoreName
from heedful.models.luong import Luong, Monotonic, Predictive
from heedful.models.tables import Sizes
from heedful.recipe import parse

D = 5
SOURCE = torch.tensor([[4, 5, 6, 7, 9, 3]])
TARGET = torch.tensor([[2, 4, 5, 8]])
MASK = torch.ones(1, 6, dtype=torch.bool)


def bahdanau(**settings: Any) -> Bahdanau:
    torch.manual_seed(2)
    config = BahdanauConfig(d_model=D, tie="none", dropout=0.0, **settings)
    return Bahdanau(config, Sizes(13, 11, 9)).eval()


def luong(**settings: Any) -> Luong:
    torch.manual_seed(2)
    config = LuongConfig(d_model=D, tie="none", dropout=0.0, n_layers=1, **settings)
    return Luong(config, Sizes(13, 11, 9)).eval()


def softmax(scores: list[float]) -> list[float]:
    exponentials = [math.exp(s - max(scores)) for s in scores]
    return [e / sum(exponentials) for e in exponentials]


@torch.no_grad()
def test_bahdanau_by_hand() -> None:
    model, seen = bahdanau(), list[Tensor]()
    memory = model.encode(SOURCE, MASK)
    found = model.decode(TARGET, memory, record=lambda kind, layer, look: seen.append(look.weights))
    score = model.score
    assert isinstance(score, Additive)
    state = model.bridge(memory.last)  # (1, 1, 1, d)
    for t in range(TARGET.shape[1]):
        word = model.embed_target(TARGET[:, t])
        previous = state[0, -1, 0]  # s_{i-1}
        energies = []
        for h in memory.states[0]:
            inner = score.w.weight @ previous + score.u.weight @ h
            energies.append(float(score.v.weight[0] @ inner.tanh()))
        weights = torch.tensor(softmax(energies))
        torch.testing.assert_close(seen[0][0, 0, t], weights, atol=1e-5, rtol=1e-4)
        context = (weights[:, None] * memory.states[0]).sum(0)[None]
        s, state = model.decoder.step(torch.cat((word, context), dim=-1), state)
        expected = model.readout(torch.cat((s, word, context), dim=-1))
        torch.testing.assert_close(found[:, t], expected, atol=1e-5, rtol=1e-4)


def test_words_are_dropped_once() -> None:
    """What of them reaches the output layer is what has reached the cell."""
    torch.manual_seed(3)
    model = Bahdanau(BahdanauConfig(d_model=D, tie="none", dropout=0.5), Sizes(13, 11, 9)).train()
    read, seen, step = list[Tensor](), list[Tensor](), model.decoder.step

    def watched(x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        read.append(x[:, :D])
        return step(x, state)

    model.decoder.step = watched  # type: ignore[method-assign]  # to look on
    model.readout.register_forward_pre_hook(lambda _, given: seen.append(given[0][..., D : 2 * D]))
    model.decode(TARGET, model.encode(SOURCE, MASK))
    words = torch.stack(read, dim=1)
    assert torch.equal(seen[0], words)
    assert 0 < (words == 0).sum() < words.numel()


def scored(model: Luong, s: Tensor, h: Tensor, j: int) -> float:
    """How well the decoder's state s fits the encoder's h, which is the j-th."""
    match model.score:
        case General():
            return float(s @ model.score.w.weight @ h)
        case Additive():
            inner = model.score.w.weight @ s + model.score.u.weight @ h
            return float(model.score.v.weight[0] @ inner.tanh())
        case Location():
            return float(model.score.w.weight[j] @ s)
        case Cosine():
            return float(model.score.sharpness * (s @ h) / (s.norm() * h.norm()))
        case ScaledDot():
            return float(s @ h) / math.sqrt(D)
        case _:
            return float(s @ h)


def looked(model: Luong, s: Tensor, states: Tensor, t: int) -> Tensor:
    """The weights of the states (S, d_enc) at the time t, by the equations of section 3."""
    last, focus = len(states) - 1, model.focus
    match focus:
        case Monotonic():
            middle, window = float(min(t, last)), focus.window
        case Predictive():
            inner = torch.tanh(focus.w.weight @ s)
            middle = last / (1 + math.exp(-float(focus.v.weight[0] @ inner)))
            window = focus.window
        case _:
            middle, window = 0.0, last
    near = [j for j in range(len(states)) if abs(j - middle) <= window]
    weights = torch.zeros(len(states))
    weights[near] = torch.tensor(softmax([scored(model, s, states[j], j) for j in near]))
    if isinstance(focus, Predictive):
        away = torch.arange(len(states)) - middle
        weights = weights * torch.exp(-(away**2) / (2 * (window / 2) ** 2))
    return weights


@pytest.mark.parametrize("input_feeding", [True, False])
@pytest.mark.parametrize(
    "settings",
    [
        *({"score": score} for score in get_args(ScoreName)),
        *({"attention": attention, "window": 2} for attention in ("local_m", "local_p")),
        {"attention": "local_p", "window": 2, "score": "location"},
        {"bidirectional": True},
        {"bidirectional": True, "cell": "gru", "score": "concat", "attention": "local_m",
         "window": 1},
    ],
    ids=lambda settings: " ".join(map(str, settings.values())),
)  # fmt: skip
@torch.no_grad()
def test_luong_by_hand(settings: dict[str, Any], input_feeding: bool) -> None:
    model, seen = luong(**settings, input_feeding=input_feeding), list[Tensor]()
    memory = model.encode(SOURCE, MASK)
    found = model.decode(TARGET, memory, record=lambda kind, layer, look: seen.append(look.weights))
    state, fed = model.bridge(memory.last), torch.zeros(1, D)
    for t in range(TARGET.shape[1]):
        word = model.embed_target(TARGET[:, t])
        x = torch.cat((word, fed), dim=-1) if input_feeding else word
        s, state = model.decoder.step(x, state)  # the current state
        weights = looked(model, s[0], memory.states[0], t)
        torch.testing.assert_close(seen[0][0, 0, t], weights, atol=1e-5, rtol=1e-4)
        context = (weights[:, None] * memory.states[0]).sum(0)
        fed = torch.tanh(model.combine.weight @ torch.cat((context, s[0])))[None]
        torch.testing.assert_close(found[:, t], fed * math.sqrt(D), atol=1e-5, rtol=1e-4)


def test_local_m_follows_the_time() -> None:
    mask = torch.tensor([[[True] * 9], [[True] * 4 + [False] * 5]])
    times = torch.arange(7)
    seen, factor = Monotonic(2)(torch.zeros(2, 7, D), mask, times)
    assert factor.item() == 1
    for t in range(7):
        assert seen[0, t].nonzero()[:, 0].tolist() == [j for j in range(9) if abs(j - t) <= 2]
        middle = min(t, 3)  # the sentence has no more words
        assert seen[1, t].nonzero()[:, 0].tolist() == [j for j in range(4) if abs(j - middle) <= 2]


@torch.no_grad()
def test_local_p_predicts_its_middle() -> None:
    torch.manual_seed(1)
    focus, window = Predictive(4, D), 4
    s = torch.randn(1, 3, D)
    mask = torch.ones(1, 1, 11, dtype=torch.bool)
    seen, factor = focus(s, mask, torch.arange(3))
    for t in range(3):
        inner = torch.tanh(focus.w.weight @ s[0, t])
        middle = 10 / (1 + math.exp(-float(focus.v.weight[0] @ inner)))
        for j in range(11):
            assert seen[0, t, j].item() == (abs(j - middle) <= window)
            bell = math.exp(-((j - middle) ** 2) / (2 * (window / 2) ** 2))
            assert factor[0, t, j].item() == pytest.approx(bell, rel=1e-4)


@torch.no_grad()
def test_what_is_outside_a_window_has_no_weight() -> None:
    model, seen = luong(attention="local_m", window=1), list[Tensor]()
    memory = model.encode(SOURCE, MASK)
    model.decode(TARGET, memory, record=lambda kind, layer, look: seen.append(look.weights))
    near = torch.arange(6)[None, :].sub(torch.arange(4)[:, None]).abs() <= 1
    assert ((seen[0][0, 0] > 0) == near).all()


@pytest.mark.parametrize("score", ["dot", "scaled_dot", "cosine"])
def test_widths_that_do_not_fit_are_told(score: str) -> None:
    with pytest.raises(Exception, match=r"d_model = 64 and those of a bidirectional encoder 128"):
        parse({"model": {"kind": "luong", "score": score, "bidirectional": True, "d_model": 64}})


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"kind": "luong", "score": "generall"}, "generall.*did you mean 'general'"),
        ({"kind": "luong", "window": 0}, r"model\.window = 0.*greater than or equal to 1"),
        ({"attention": "restricted", "window": 0}, r"model\.window = 0"),
        ({"attention": "restricted", "score": "location"}, r"model\.score = 'location'"),
        (
            {"kind": "lstm"},
            r"'lstm' is not known \(lstm is a cell: take rnn, with --set model.cell=",
        ),
        ({"kind": "trasformer"}, r"did you mean 'transformer'"),
        ({"kind": "rnn", "d_ff": 7}, r"unknown setting model\.d_ff"),
        ({"kind": "conv", "width": 4}, r"take 3 or 5"),
        ({"kind": "luong", "cel": "gru"}, r"unknown setting model\.cel.*model\.cell"),
    ],
)
def test_bad_settings_are_told(settings: dict[str, Any], told: str) -> None:
    with pytest.raises(Exception, match=told):
        parse({"model": settings})

"""Restricted attention is full attention under a band; what is far away costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from heedful.attention import (
    Look,
    MultiHeadAttention,
    Reach,
    attend,
    causal_mask,
    make_score,
    window_mask,
)
from heedful.attention.attend import attend_unseen
from heedful.attention.near import attend_near


def heads(length: int, *, d_v: int = 7) -> tuple[Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(length)
    shape = (2, 3, length)
    query, key = (torch.randn(*shape, 5, generator=generator) for _ in range(2))
    return query, key, torch.randn(*shape, d_v, generator=generator)


def test_window_mask_by_hand() -> None:
    assert window_mask(5, Reach(2, 1)).int().tolist() == [
        [1, 1, 0, 0, 0],
        [1, 1, 1, 0, 0],
        [1, 1, 1, 1, 0],
        [0, 1, 1, 1, 1],
        [0, 0, 1, 1, 1],
    ]


@pytest.mark.parametrize(
    "reach", [Reach(1, 0), Reach(3, 0), Reach(2, 2), Reach(0, 5), Reach(40, 31)]
)
@pytest.mark.parametrize("length", [1, 5, 31, 32, 33, 64, 101, 203])
def test_near_is_full_under_a_band(reach: Reach, length: int) -> None:
    query, key, value = heads(length)
    lengths = torch.tensor([length, max(1, length - 3)])
    padding = (torch.arange(length) < lengths[:, None])[:, None, None]
    expected, _ = attend(query, key, value, window_mask(length, reach) & padding)
    near = attend_near(query, key, value, reach, padding)
    # A padding position far from every word looks nowhere; nobody looks at it either.
    real = padding[:, :, 0, :, None].expand_as(near)
    torch.testing.assert_close(near[real], expected[real], atol=1e-5, rtol=1e-5)
    assert near.isfinite().all()


@pytest.mark.parametrize("name", ["dot", "cosine", "general", "additive"])
@pytest.mark.parametrize("reach", [Reach(3, 0), Reach(2, 2), Reach(40, 31)])
def test_any_score_is_full_under_a_band(name: str, reach: Reach) -> None:
    """And so are its gradients, those of what the score learns included."""
    torch.manual_seed(6)
    length, score = 101, make_score(name, d_query=5, d_key=5)
    padding = (torch.arange(length) < torch.tensor([[length], [90]]))[:, None, None]
    found = []
    for near in (True, False):
        query, key, value = (x.requires_grad_() for x in heads(length))
        keys = score.keys(key)
        if near:
            context = attend_near(query, keys, value, reach, padding, score)
        else:
            mask = window_mask(length, reach) & padding
            context, _ = attend(query, keys, value, mask, score)
        real = context[0], context[1, :, :90]
        learnt = [query, key, value, *score.parameters()]
        gradients = torch.autograd.grad([x.square().sum() for x in real], learnt)
        found.append((*real, *gradients))
    for ours, theirs in zip(*found, strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("length", [7, 100])
def test_a_window_over_all_is_full_attention(length: int) -> None:
    query, key, value = heads(length)
    everywhere = attend_near(query, key, value, Reach(length, length))
    torch.testing.assert_close(everywhere, attend(query, key, value)[0], atol=1e-5, rtol=1e-5)
    before = attend_near(query, key, value, Reach(length, 0))
    causal = attend(query, key, value, causal_mask(length))[0]
    torch.testing.assert_close(before, causal, atol=1e-5, rtol=1e-5)


def test_gradients_are_those_of_the_band() -> None:
    near_inputs = [x.requires_grad_() for x in heads(70)]
    full_inputs = [x.detach().clone().requires_grad_() for x in near_inputs]
    reach = Reach(4, 3)
    query, key, value = near_inputs
    torch.autograd.backward(attend_near(query, key, value, reach).square().sum())
    query, key, value = full_inputs
    torch.autograd.backward(attend(query, key, value, window_mask(70, reach))[0].square().sum())
    for near, full in zip(near_inputs, full_inputs, strict=True):
        torch.testing.assert_close(near.grad, full.grad, atol=1e-4, rtol=1e-4)


def test_recorded_or_not_the_same_is_seen() -> None:
    torch.manual_seed(1)
    attention = MultiHeadAttention(6, 2, reach=Reach(2, 1))
    x, seen = torch.randn(2, 50, 6), list[Look]()
    mask = torch.ones(2, 1, 1, 50, dtype=torch.bool)
    recorded = attention(x, x, mask, seen.append)
    torch.testing.assert_close(attention(x, x, mask), recorded, atol=1e-5, rtol=1e-5)
    assert ((seen[0].weights > 0) == window_mask(50, Reach(2, 1))).all()


@pytest.mark.parametrize("name", ["scaled_dot", "dot", "additive"])
def test_no_square_of_scores_is_ever_made(name: str) -> None:
    """Every tensor on the way has far fewer elements than n² scores would have."""
    n, d, reach = 4096, 2, Reach(16, 16)
    score = None if name == "scaled_dot" else make_score(name, d_query=d, d_key=d)
    largest = 0

    class Watch(torch.overrides.TorchFunctionMode):
        def __torch_function__(
            self, f: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            nonlocal largest
            outcome = f(*args, **(kwargs or {}))
            if isinstance(outcome, Tensor):
                largest = max(largest, outcome.untyped_storage().nbytes() // 4)
            return outcome

    query = torch.randn(1, 1, n, d)
    with Watch():
        attend_near(query, query, query, reach, score=score)
    assert largest <= 4 * n * sum(reach) < n * n / 10


def test_a_window_wider_than_the_sentence_costs_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def watched(query: Tensor, key: Tensor, value: Tensor, bias: Tensor, score: None) -> Tensor:
        seen.append(bias.numel())
        return attend_unseen(query, key, value, bias, score)

    monkeypatch.setattr("heedful.attention.near.attend_unseen", watched)
    query, key, value = torch.randn(3, 1, 2, 15, 4).unbind(0)
    found = attend_near(query, key, value, Reach(4096, 4096))
    torch.testing.assert_close(found, attend(query, key, value)[0], atol=1e-5, rtol=1e-5)
    assert seen[0] <= 15 * 3 * 15

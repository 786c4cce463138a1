from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from heedful.attention import attend, attend_unseen, causal_mask
from heedful.attention.attend import SHORT


def by_hand(query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Equation (1), one number at a time."""
    weights = torch.zeros(query.shape[0], key.shape[0], dtype=query.dtype)
    context = torch.zeros(query.shape[0], value.shape[1], dtype=query.dtype)
    for i, q in enumerate(query):
        seen = [j for j in range(len(key)) if mask[i, j]]
        scores = [sum(float(a * b) for a, b in zip(q, key[j], strict=True)) for j in seen]
        powers = [math.exp(s / math.sqrt(len(q))) for s in scores]
        for j, power in zip(seen, powers, strict=True):
            weights[i, j] = power / sum(powers)
            context[i] += weights[i, j] * value[j]
    return context, weights


@pytest.fixture
def qkv() -> tuple[Tensor, Tensor, Tensor]:
    torch.manual_seed(3)
    return (
        torch.randn(5, 7, dtype=torch.float64),
        torch.randn(11, 7, dtype=torch.float64),
        torch.randn(11, 3, dtype=torch.float64),
    )


def test_equals_the_equation_by_hand(qkv: tuple[Tensor, Tensor, Tensor]) -> None:
    mask = torch.rand(5, 11) < 0.6
    mask[:, 2] = True
    context, weights = attend(*qkv, mask)
    expected_context, expected_weights = by_hand(*qkv, mask)
    torch.testing.assert_close(weights, expected_weights)
    torch.testing.assert_close(context, expected_context)


def test_values_worked_out_on_paper() -> None:
    query = torch.tensor([[2.0, 0.0, 0.0, 0.0]])
    key = torch.tensor([[1.0, 0, 0, 0], [0, 1, 0, 0]])  # scores 2 and 0, divided by √4: 1 and 0
    value = torch.tensor([[10.0], [20.0]])
    context, weights = attend(query, key, value)
    share = math.e / (math.e + 1)
    torch.testing.assert_close(weights, torch.tensor([[share, 1 - share]]))
    torch.testing.assert_close(context, torch.tensor([[10 * share + 20 * (1 - share)]]))


def test_masked_weights_are_exactly_zero(qkv: tuple[Tensor, Tensor, Tensor]) -> None:
    mask = torch.ones(5, 11, dtype=torch.bool)
    mask[:, 4:] = False
    _, weights = attend(*qkv, mask)
    assert (weights[:, 4:] == 0).all()
    torch.testing.assert_close(weights.sum(-1), torch.ones(5, dtype=torch.float64))


def test_a_row_that_may_look_nowhere_is_not_nan(qkv: tuple[Tensor, Tensor, Tensor]) -> None:
    context, _ = attend(*qkv, torch.zeros(5, 11, dtype=torch.bool))
    assert context.isfinite().all()


@pytest.mark.parametrize("length", [13, SHORT + 1])
def test_unseen_equals_seen_on_both_sides_of_the_threshold(length: int) -> None:
    torch.manual_seed(5)
    q, k, v = torch.randn(2, 3, 11, 7), torch.randn(2, 3, length, 7), torch.randn(2, 3, length, 5)
    mask = torch.rand(2, 1, 1, length) < 0.7
    torch.testing.assert_close(attend_unseen(q, k, v, mask), attend(q, k, v, mask)[0])
    torch.testing.assert_close(
        attend_unseen(q, k, v, mask), F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    )


def test_gradient_is_right(qkv: tuple[Tensor, Tensor, Tensor]) -> None:
    q, k, v = (x.requires_grad_() for x in qkv)
    mask = torch.rand(5, 11) < 0.8
    assert torch.autograd.gradcheck(lambda q, k, v: attend(q, k, v, mask)[0], (q, k, v))


@pytest.mark.parametrize("length", [13, SHORT + 1])
@pytest.mark.parametrize("masked", ["padding", "causal", "each head its own", "not"])
def test_gradients_of_unseen_equal_those_of_seen(length: int, masked: str) -> None:
    """Queries, keys and values as they come: slices of one projection, heads behind positions."""
    torch.manual_seed(7)
    both = []
    for seen in (True, False):
        torch.manual_seed(7)
        projected = torch.randn(2, length, 3 * (5 + 5 + 7), requires_grad=True)
        parts = projected.split_with_sizes([15, 15, 21], dim=-1)
        q, k, v = (part.reshape(2, length, 3, -1).transpose(1, 2) for part in parts)
        mask = {
            "padding": torch.rand(2, 1, 1, length) < 0.7,
            "causal": causal_mask(length),
            "each head its own": torch.rand(2, 3, length, length) < 0.7,
            "not": None,
        }[masked]
        if seen:
            context = attend(q, k, v, mask)[0]
        elif masked == "causal":
            context = attend_unseen(q, k, v, causal=True)
        else:
            context = attend_unseen(q, k, v, mask)
        torch.autograd.backward((context * torch.linspace(-1, 1, 7)).sum())
        both.append((context.detach(), projected.grad))
    for mine, plain in zip(*both, strict=True):
        torch.testing.assert_close(mine, plain, rtol=1e-4, atol=1e-5)


def test_short_attention_survives_a_row_that_may_look_nowhere() -> None:
    q, k, v = torch.randn(2, 1, 3, 4), torch.randn(2, 1, 5, 4), torch.randn(2, 1, 5, 4)
    nowhere = torch.zeros(2, 1, 3, 5, dtype=torch.bool)
    torch.testing.assert_close(attend_unseen(q, k, v, nowhere), attend(q, k, v, nowhere)[0])

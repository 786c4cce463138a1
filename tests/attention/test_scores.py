"""Each score beside a loop written from its equation."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from heedful.attention import MultiHeadAttention, attend, make_score
from heedful.attention.scores import NAMES, Additive, Cosine, General, Location, Score

D_QUERY, D_KEY, N_QUERIES, N_KEYS, BATCH = 5, 7, 3, 11, 2


def tensors(*shapes: tuple[int, ...]) -> list[Tensor]:
    generator = torch.Generator().manual_seed(5)
    return [torch.randn(shape, generator=generator) for shape in shapes]


def by_loops(query: Tensor, key: Tensor, score: Callable[[Tensor, Tensor, int], float]) -> Tensor:
    """score(q, k, j) for the query q and the j-th key k."""
    return torch.tensor(
        [
            [[score(q, k, j) for j, k in enumerate(keys)] for q in queries]
            for queries, keys in zip(query, key, strict=True)
        ]
    )


def summed(a: Tensor, b: Tensor) -> float:
    return float(sum(x * y for x, y in zip(a.tolist(), b.tolist(), strict=True)))


def assert_scores(score: Score, query: Tensor, key: Tensor, expected: Tensor) -> None:
    with torch.no_grad():
        torch.testing.assert_close(score(query, score.keys(key)), expected, atol=1e-5, rtol=1e-5)


def test_dot() -> None:
    query, key = tensors((BATCH, N_QUERIES, D_KEY), (BATCH, N_KEYS, D_KEY))
    expected = by_loops(query, key, lambda q, k, _: summed(q, k))
    assert_scores(make_score("dot", d_query=D_KEY, d_key=D_KEY), query, key, expected)


def test_scaled_dot() -> None:
    query, key = tensors((BATCH, N_QUERIES, D_KEY), (BATCH, N_KEYS, D_KEY))
    expected = by_loops(query, key, lambda q, k, _: summed(q, k) / math.sqrt(D_KEY))
    assert_scores(make_score("scaled_dot", d_query=D_KEY, d_key=D_KEY), query, key, expected)


def test_cosine() -> None:
    query, key = tensors((BATCH, N_QUERIES, D_KEY), (BATCH, N_KEYS, D_KEY))
    score = Cosine()
    sharpness = score.sharpness.item()
    expected = by_loops(
        query,
        key,
        lambda q, k, _: sharpness * summed(q, k) / math.sqrt(summed(q, q) * summed(k, k)),
    )
    assert_scores(score, query, key, expected)


def test_general() -> None:
    query, key = tensors((BATCH, N_QUERIES, D_QUERY), (BATCH, N_KEYS, D_KEY))
    score = General(d_query=D_QUERY, d_key=D_KEY)
    w = score.w.weight.detach()
    expected = by_loops(query, key, lambda q, k, _: summed(q, w @ k))
    assert_scores(score, query, key, expected)


@pytest.mark.parametrize("name", ["additive", "concat"])
def test_additive(name: str) -> None:
    query, key = tensors((BATCH, N_QUERIES, D_QUERY), (BATCH, N_KEYS, D_KEY))
    score = make_score(name, d_query=D_QUERY, d_key=D_KEY)
    assert isinstance(score, Additive)
    w, u, v = (linear.weight.detach() for linear in (score.w, score.u, score.v))

    def by_hand(q: Tensor, k: Tensor, _: int) -> float:
        return summed(v[0], torch.tensor([math.tanh(x) for x in (w @ q + u @ k).tolist()]))

    assert_scores(score, query, key, by_loops(query, key, by_hand))


def test_additive_is_luongs_concat() -> None:
    """vᵀ tanh([W U] [q; k])."""
    query, key = tensors((BATCH, N_QUERIES, D_QUERY), (BATCH, N_KEYS, D_KEY))
    score = Additive(d_query=D_QUERY, d_key=D_KEY)
    both = torch.cat((score.w.weight, score.u.weight), dim=1).detach()
    v = score.v.weight.detach()
    expected = by_loops(
        query, key, lambda q, k, _: summed(v[0], torch.tanh(both @ torch.cat((q, k))))
    )
    assert_scores(score, query, key, expected)


def test_location() -> None:
    query, key = tensors((BATCH, N_QUERIES, D_QUERY), (BATCH, N_KEYS, D_KEY))
    score = Location(d_query=D_QUERY, places=13)
    w = score.w.weight.detach()
    assert_scores(score, query, key, by_loops(query, key, lambda q, _, j: summed(w[j], q)))
    assert_scores(score, query, torch.zeros_like(key), score(query, key).detach())


def test_location_has_no_more_places_than_were_learned() -> None:
    query, key = tensors((BATCH, N_QUERIES, D_QUERY), (BATCH, N_KEYS, D_KEY))
    with pytest.raises(ValueError, match="11 keys, but only 10 places"):
        Location(d_query=D_QUERY, places=10)(query, key)


@pytest.mark.parametrize("name", ["dot", "scaled_dot", "cosine"])
def test_widths_that_do_not_fit_are_refused(name: str) -> None:
    told = f"score {name} wants queries and keys of one width, not 5 and 7"
    with pytest.raises(ValueError, match=told):
        make_score(name, d_query=D_QUERY, d_key=D_KEY)


def test_an_unknown_score_is_refused() -> None:
    told = r"there is no score 'generall' \(did you mean 'general'\?\): dot, scaled_dot, cosine, "
    with pytest.raises(ValueError, match=told):
        make_score("generall", d_query=D_KEY, d_key=D_KEY)


def test_every_name_is_a_score() -> None:
    for name in NAMES:
        assert isinstance(make_score(name, d_query=D_KEY, d_key=D_KEY, places=3), Score)


@pytest.mark.parametrize("places", [{}, {"places": 0}])
def test_location_wants_to_know_its_places(places: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="give as many as the longest source has tokens"):
        make_score("location", d_query=D_QUERY, d_key=D_KEY, **places)


@pytest.mark.parametrize("name", ["dot", "cosine", "general", "additive"])
def test_heads_look_by_any_score(name: str) -> None:
    """Many heads are as many attentions, one after the other, over slices of the projections."""
    d_model, n_heads, d_k, d_v = 10, 3, 5, 7
    score = make_score(name, d_query=d_k, d_key=d_k)
    heads = MultiHeadAttention(d_model, n_heads, d_k=d_k, d_v=d_v, score=score)
    (x,) = tensors((BATCH, N_KEYS, d_model))
    mask = torch.arange(N_KEYS) < torch.tensor([N_KEYS, 4])[:, None]  # (B, M)
    w, b = heads.project.weight, heads.project.bias
    parts = torch.split(x @ w.T + b, heads.widths, dim=-1)
    contexts = []
    for n in range(n_heads):
        q, k = (part[..., n * d_k : (n + 1) * d_k] for part in parts[:2])
        v = parts[2][..., n * d_v : (n + 1) * d_v]
        contexts.append(attend(q, score.keys(k), v, mask[:, None], score)[0])
    expected = heads.join(torch.cat(contexts, dim=-1))
    torch.testing.assert_close(heads(x, x, mask[:, None, None]), expected)

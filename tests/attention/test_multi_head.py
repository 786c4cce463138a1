from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from heedful.attention import Look, MultiHeadAttention


def test_equals_torchs_with_the_same_weights() -> None:
    torch.manual_seed(7)
    ours = MultiHeadAttention(21, 3)
    theirs = nn.MultiheadAttention(21, 3, batch_first=True)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(ours.project.weight)
        theirs.in_proj_bias.copy_(ours.project.bias)
        theirs.out_proj.weight.copy_(ours.join.weight)
        theirs.out_proj.bias.copy_(ours.join.bias)
    query, memory = torch.randn(2, 5, 21), torch.randn(2, 11, 21)
    mask = torch.rand(2, 11) < 0.7
    seen: list[Look] = []
    found = ours(query, memory, mask[:, None, None], seen.append)
    expected, weights = theirs(
        query, memory, memory, key_padding_mask=~mask, average_attn_weights=False
    )
    torch.testing.assert_close(found, expected)
    torch.testing.assert_close(seen[0].weights, weights)


def test_heads_may_be_of_any_width() -> None:
    ours = MultiHeadAttention(13, 5, d_k=3, d_v=2)
    assert ours(torch.randn(2, 7, 13), torch.randn(2, 11, 13), None).shape == (2, 7, 13)
    assert ours.project.weight.shape == (15 + 15 + 10, 13)


@pytest.mark.parametrize(("d_k", "d_v"), [(None, None), (3, None), (None, 2)])
def test_heads_must_divide_the_width_unless_theirs_is_given(
    d_k: int | None, d_v: int | None
) -> None:
    with pytest.raises(ValueError, match=r"n_heads = 5 does not divide d_model = 13: give both"):
        MultiHeadAttention(13, 5, d_k=d_k, d_v=d_v)


@pytest.mark.parametrize(("d_k", "d_v"), [(None, None), (2, None), (None, 3)])
def test_heads_share_the_width_unless_theirs_is_given(d_k: int | None, d_v: int | None) -> None:
    ours = MultiHeadAttention(35, 7, d_k=d_k, d_v=d_v)
    wanted = (d_k or 5, d_v or 5)
    assert (ours.d_k, ours.d_v) == wanted
    assert ours.project.weight.shape == (7 * (2 * wanted[0] + wanted[1]), 35)


def test_looking_at_oneself_is_looking_at_any_memory() -> None:
    """One product for queries, keys and values, against one for each side."""
    torch.manual_seed(3)
    ours = MultiHeadAttention(13, 5, d_k=3, d_v=2)
    x = torch.randn(2, 7, 13)
    torch.testing.assert_close(ours(x, x, None), ours(x, x.clone(), None))


def test_recording_changes_nothing() -> None:
    ours = MultiHeadAttention(6, 2)
    query, seen = torch.randn(2, 7, 6), list[Look]()
    torch.testing.assert_close(ours(query, query), ours(query, query, record=seen.append))
    assert seen[0].weights.shape == (2, 2, 7, 7)


def test_nobody_sees_the_future_of_another_sequence_either() -> None:
    torch.manual_seed(5)
    ours = MultiHeadAttention(13, 5, d_k=3, d_v=2)
    x = torch.randn(2, 7, 13)
    torch.testing.assert_close(ours(x, x.clone(), causal=True), ours(x, x, causal=True))


def test_two_masks_are_not_taken_for_one() -> None:
    ours = MultiHeadAttention(13, 5, d_k=3, d_v=2)
    x, mask = torch.randn(2, 7, 13), torch.ones(2, 1, 1, 7, dtype=torch.bool)
    for record in (None, list[Tensor]().append):
        with pytest.raises(ValueError, match="join the causal mask"):
            ours(x, x, mask, record, causal=True)

from __future__ import annotations

import math

import pytest
import torch

from heedful.decoding.top import BLOCK, top


@pytest.mark.parametrize("length", [3, 100, 8 * 4 * BLOCK, 2048 + 17, 8003])
def test_equals_topk(length: int) -> None:
    torch.manual_seed(length)
    x = torch.randn(5, 3, length)
    x[0, 0, : length // 2] = -math.inf
    values, places = top(x, 8)
    torch.testing.assert_close(values, x.topk(min(8, length)).values, rtol=0, atol=0)
    torch.testing.assert_close(x.gather(-1, places), values, rtol=0, atol=0)
    assert all(len(set(row)) == len(row) for row in places.flatten(0, 1).tolist())


def test_finds_the_largest_in_the_short_last_block() -> None:
    x = torch.zeros(2, 8003)
    x[:, -1], x[:, 70] = 2.0, 1.0
    values, places = top(x, 2)
    assert values.tolist() == [[2, 1], [2, 1]]
    assert places.tolist() == [[8002, 70], [8002, 70]]

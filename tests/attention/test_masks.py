from __future__ import annotations

import torch

from heedful.attention import causal_mask, padding_mask


def test_padding_mask_is_true_on_the_words() -> None:
    mask = padding_mask(torch.tensor([2, 3, 0]), longest=3)
    assert mask.tolist() == [[True, True, False], [True, True, True], [False, False, False]]


def test_causal_mask_never_looks_into_the_future() -> None:
    assert causal_mask(3).tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]

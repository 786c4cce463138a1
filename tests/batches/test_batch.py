from __future__ import annotations

import numpy as np

from heedful.batches import make_batch


def test_marks_padding_and_masks_by_hand() -> None:
    batch = make_batch([[7, 8], np.array([9], np.uint16)], [[5], [6, 7, 8]])
    assert batch.source.tolist() == [[7, 8, 3], [9, 3, 0]]
    assert batch.source_mask.tolist() == [[True, True, True], [True, True, False]]
    assert batch.target_in.tolist() == [[2, 5, 0, 0], [2, 6, 7, 8]]
    assert batch.target_out.tolist() == [[5, 3, 0, 0], [6, 7, 8, 3]]
    assert batch.n_tokens == 6


def test_an_empty_side_is_its_mark_alone() -> None:
    batch = make_batch([[]], [[]])
    assert (batch.source.tolist(), batch.target_in.tolist()) == ([[3]], [[2]])

from __future__ import annotations

import numpy as np
import pytest

from heedful.see.recording.attention import Attention
from heedful.see.recording.statistics import head_statistics


def test_entropy_and_distance_by_hand() -> None:
    weights = np.array(
        [
            [[1, 0, 0, 0], [0, 1, 0, 0]],  # each at its own place
            [[0.25] * 4, [0.25] * 4],  # everywhere
            [[0, 0.5, 0.5, 0], [0, 0, 0, 1]],
        ]
    )
    found = head_statistics(Attention("cross", 1, weights, ("a", "b"), ("p", "q", "r", "s")))
    assert [f.entropy for f in found] == pytest.approx([0, 2, 0.5])
    assert [f.distance for f in found] == pytest.approx([0, (1.5 + 1) / 2, (1.5 + 2) / 2])

from __future__ import annotations

from pathlib import Path

import numpy as np

from heedful.layers import SinusoidalPositions
from heedful.see.pictures.positions import distances, draw_positions
from heedful.see.pictures.save import save

from ..samples import svg_texts


def test_distances_by_hand() -> None:
    found = distances(np.array([[0, 0], [3, 4], [3, 0]], dtype=np.float32))
    np.testing.assert_allclose(found, [[0, 5, 3], [5, 0, 4], [3, 4, 0]])


def test_sinusoids_are_equally_long_and_their_distance_depends_on_the_offset_alone(
    tmp_path: Path,
) -> None:
    table = SinusoidalPositions(d_model=32)(0, 40).numpy()
    np.testing.assert_allclose(np.linalg.norm(table, axis=1), 4, rtol=1e-5)  # √(32 / 2)
    apart = distances(table)
    for offset in (1, 7, 20):
        along = np.diagonal(apart, offset)
        np.testing.assert_allclose(along, along[0], rtol=1e-4)
    texts = svg_texts(save(draw_positions(table, title="sinusoids"), tmp_path / "p.svg"))
    assert "sinusoids; norms 4.00 to 4.00" in texts

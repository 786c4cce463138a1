from __future__ import annotations

from pathlib import Path

import pytest

from heedful.see.pictures.save import save
from heedful.see.pictures.scaling import draw_scaling, measure

from ..samples import svg_texts


def test_variance_grows_with_the_width_unless_it_is_divided() -> None:
    for d_k in (16, 256):
        assert measure(d_k, divided=False).variance == pytest.approx(d_k, rel=0.15)
        assert measure(d_k, divided=True).variance == pytest.approx(1, rel=0.15)


def test_without_the_division_weights_sharpen_and_gradients_vanish() -> None:
    narrow, wide = (measure(d_k, divided=False) for d_k in (4, 512))
    assert wide.entropy < 0.2 * narrow.entropy
    assert wide.gradient < 0.4 * narrow.gradient
    narrow, wide = (measure(d_k, divided=True) for d_k in (4, 512))
    assert wide.entropy == pytest.approx(narrow.entropy, rel=0.1)


def test_both_are_drawn(tmp_path: Path) -> None:
    texts = svg_texts(save(draw_scaling(), tmp_path / "s.svg"))
    assert {"q · k", "q · k / √d_k", "d_k"} <= set(texts)

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.patches import Rectangle

from heedful.see.pictures.numbers import rows_of
from heedful.see.pictures.save import save
from heedful.see.pictures.step import draw_step
from heedful.see.recording.attention import Attention, Vectors, Working
from heedful.see.recording.walk import softmax, walk

from ..samples import svg_texts


def attention(n_keys: int, divisor: float) -> Attention:
    """One query; the keys score 0, 1, 2, …, and the last may not be looked at."""
    products = np.arange(n_keys, dtype=np.float32)[None, None]
    mask = np.ones((1, n_keys), dtype=bool)
    mask[0, -1] = False
    weights = softmax(np.where(mask, products / divisor, -np.inf))
    vectors = Vectors(*(np.ones((n, 2), np.float32) for n in (1, n_keys, n_keys)))
    outcome = np.ones((1, 3), np.float32)
    working = Working("q · k", products, divisor, mask, outcome, "W_O", None, None, {1: vectors})
    keys = tuple(f"k{i}" for i in range(n_keys))
    return Attention("decoder", 1, weights, ("q",), keys, working)


def test_every_number_on_the_way(tmp_path: Path) -> None:
    texts = svg_texts(
        save(draw_step(walk(attention(3, 2.0), 1, 0), title="here"), tmp_path / "s.svg")
    )
    assert texts.count("2.00") == 1  # the last key's product
    assert "÷ √d_k = 2.00" in texts
    assert texts.count("−∞") == 1
    kept = np.exp([0, 0.5]) / np.exp([0, 0.5]).sum()
    for weight in kept:
        assert f"{weight:.2f}" in texts
    assert "“q” here" in texts


@pytest.mark.parametrize("n_keys", [3, 20])
def test_the_last_box_has_its_right_border(n_keys: int) -> None:
    (axes,) = draw_step(walk(attention(n_keys, 2.0), 1, 0)).axes
    boxes = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    right = max(box.get_x() + box.get_width() for box in boxes)
    assert right < axes.get_xlim()[1]


@pytest.mark.parametrize("n", [1, 7, 8, 14, 15, 16, 40])
@pytest.mark.parametrize("both_ends", [False, True])
def test_as_many_numbers_as_there_is_room_for(n: int, both_ends: bool) -> None:
    rows = rows_of(n, 7, both_ends=both_ends)
    shown = [place for places, _ in rows for place in places]
    assert len(rows) <= 2
    assert sorted(set(shown)) == shown
    assert len(shown) + sum(left for _, left in rows) == n
    for places, left in rows:
        assert len(places) <= (4 if left else 7)  # "… 26 more" has its room
    assert shown[0] == 0
    assert (shown[-1] == n - 1) == (both_ends or n <= 14)


def test_the_vectors_are_told_in_numbers(tmp_path: Path) -> None:
    """What was put together shows both its ends, the others their beginning."""
    seen = walk(attention(3, 1.0), 1, 0)
    context, joined, outcome = (
        start + np.arange(50, dtype=np.float32) for start in (100, 300, 500)
    )
    six = replace(seen, context=context, joined=joined, outcome=outcome)
    texts = svg_texts(save(draw_step(six), tmp_path / "s.svg"))
    for vector, first, last in (
        (context, True, False),
        (joined, True, True),
        (outcome, True, False),
    ):
        assert (f"{vector[0]:.2f}" in texts) == first
        assert (f"{vector[-1]:.2f}" in texts) == last
    assert texts.count("… 23 more") == 3
    assert sum(text.startswith(("1", "3", "5")) and "." in text for text in texts) >= 3 * 27


def test_what_is_not_divided_is_not_said_to_be(tmp_path: Path) -> None:
    texts = svg_texts(save(draw_step(walk(attention(3, 1.0), 1, 0)), tmp_path / "s.svg"))
    assert not [text for text in texts if "√d_k" in text]


def test_of_very_many_keys_those_that_weigh_most(tmp_path: Path) -> None:
    texts = svg_texts(
        save(draw_step(walk(attention(700, 9.0), 1, 0), title="x"), tmp_path / "s.svg")
    )
    assert "“q” x, the 60 keys of 700 that weigh most" in texts
    assert "k698" in texts
    assert "k5" not in texts

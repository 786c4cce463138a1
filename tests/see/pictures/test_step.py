from __future__ import annotations

from pathlib import Path

import numpy as np

from heedful.see.pictures.step import draw_step
from heedful.see.recording.record import Attention, Vectors, Working
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
    texts = svg_texts(draw_step(walk(attention(3, 2.0), 1, 0), tmp_path / "s.svg", title="here"))
    assert texts.count("2.00") == 1  # the last key's product
    assert "÷ √d_k = 2.00" in texts
    assert texts.count("−∞") == 1
    kept = np.exp([0, 0.5]) / np.exp([0, 0.5]).sum()
    for weight in kept:
        assert f"{weight:.2f}" in texts
    assert "“q” here" in texts


def test_what_is_not_divided_is_not_said_to_be(tmp_path: Path) -> None:
    texts = svg_texts(draw_step(walk(attention(3, 1.0), 1, 0), tmp_path / "s.svg"))
    assert not [text for text in texts if "√d_k" in text]


def test_of_very_many_keys_those_that_weigh_most(tmp_path: Path) -> None:
    texts = svg_texts(draw_step(walk(attention(700, 9.0), 1, 0), tmp_path / "s.svg", title="x"))
    assert "“q” x, the 60 keys of 700 that weigh most" in texts
    assert "k698" in texts
    assert "k5" not in texts

"""Why √d_k: dot products of random vectors, measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from heedful.see.pictures.fonts import BASE
from heedful.see.pictures.style import GRID, INK, QUIET, colour
from heedful.see.recording.walk import softmax

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTHS = (4, 8, 16, 32, 64, 128, 256, 512)
KEYS, QUERIES = 32, 400


@dataclass(frozen=True)
class Measured:
    """Of queries and keys whose elements are independent, with mean 0 and variance 1."""

    d_k: int
    variance: float
    """Of q · k, divided or not."""
    entropy: float
    """Bits of softmax over 32 keys."""
    gradient: float
    """The mean size of the softmax's derivative by its scores."""


def measure(d_k: int, *, divided: bool, seed: int = 1) -> Measured:
    """By drawing."""
    draw = np.random.default_rng(seed)
    queries, keys = draw.normal(size=(QUERIES, 1, d_k)), draw.normal(size=(QUERIES, KEYS, d_k))
    scores = (queries * keys).sum(-1) / (np.sqrt(d_k) if divided else 1)  # (QUERIES, KEYS)
    weights = softmax(scores).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = -np.where(weights > 0, weights * np.log2(weights), 0).sum(-1)
    # ∂w_i/∂s_j = w_i (δ_ij - w_j); its Frobenius norm, without building the matrices.
    squares = weights**2
    total = squares.sum(-1)
    norm = np.sqrt(np.maximum(total - 2 * (squares * weights).sum(-1) + total**2, 0))
    return Measured(d_k, float(scores.var()), float(bits.mean()), float(norm.mean()))


def draw_scaling() -> Figure:
    """Variance, entropy and gradient against d_k, with the division and without."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 3.4), layout="constrained")
    panels = figure.subplots(1, 3)
    for n, (divided, name) in enumerate(((False, "q · k"), (True, "q · k / √d_k"))):
        found = [measure(d_k, divided=divided) for d_k in WIDTHS]
        for axes, key in zip(panels, ("variance", "entropy", "gradient"), strict=True):
            axes.plot(WIDTHS, [getattr(m, key) for m in found], color=colour(n), marker="os"[n],
                      markersize=5, linewidth=1.8, label=name)  # fmt: skip
    for axes, heading in zip(
        panels,
        ("variance of the score", f"entropy of the weights over {KEYS} keys, bits",
         "size of the softmax's derivative"),
        strict=True,
    ):  # fmt: skip
        axes.set_title(heading, loc="left", fontsize=10, color=INK, fontfamily=BASE)
        axes.set_xlabel("d_k", color=INK, fontfamily=BASE)
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.spines[["top", "right"]].set_visible(False)
        axes.spines[["left", "bottom"]].set_color(GRID)
        axes.grid(color=GRID, linewidth=0.8)
        axes.tick_params(length=0, labelsize=9, labelcolor=QUIET)
    panels[0].set_yscale("log", base=2)
    panels[0].legend(frameon=False, labelcolor="linecolor", prop={"family": BASE, "size": 10})
    return figure

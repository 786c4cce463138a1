"""How a model tells where a word stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from heedful.see.pictures.fonts import BASE
from heedful.see.pictures.style import GRID, INK, QUIET
from heedful.see.recording.attention import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def distances(table: Floats) -> Floats:
    """The L2 distance of each pair of positions: (n, d) -> (n, n)."""
    exact = table.astype(np.float64)
    products = exact @ exact.T
    squares = products.diagonal()
    apart = np.sqrt(np.maximum(squares[:, None] + squares - 2 * products, 0))
    return np.asarray(apart, dtype=np.float32)


def draw_positions(table: Floats, *, title: str) -> Figure:
    """The vectors (n, d) themselves, and how far each is from each other."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[1.6, 1])
    most = float(np.abs(table).max())
    shown = left.imshow(table, cmap="RdBu", vmin=-most, vmax=most, aspect="auto")
    apart = right.imshow(distances(table), cmap="viridis")
    norms = np.linalg.norm(table, axis=1)
    spread = f"norms {norms.min():.2f} to {norms.max():.2f}"
    for axes, image, x, y, heading in (
        (left, shown, "element", "position", f"{title}; {spread}"),
        (right, apart, "position", "position", "L2 distance of each pair"),
    ):
        axes.set_xlabel(x, color=INK, fontfamily=BASE)
        axes.set_ylabel(y, color=INK, fontfamily=BASE)
        axes.set_title(heading, loc="left", fontsize=10, color=QUIET, fontfamily=BASE)
        axes.tick_params(length=0, labelsize=8, labelcolor=QUIET)
        axes.spines[:].set_color(GRID)
        bar = figure.colorbar(image, ax=axes, shrink=0.8)
        bar.outline.set_visible(False)
        bar.ax.tick_params(length=0, labelsize=8, labelcolor=QUIET)
    return figure

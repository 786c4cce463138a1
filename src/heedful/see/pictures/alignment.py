"""The alignment: a heat map of which source words each target word looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heedful.see.pictures.chosen import chosen_heads, describe, mean_weights
from heedful.see.pictures.fonts import BASE, fonts_for, printable
from heedful.see.pictures.style import GRID, INK, QUIET
from heedful.see.recording.attention import Attention

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage

_CELL = 0.34  # inches a side: the height of a line of text at this size of letters
_LETTERS = 12.0
_LONGEST = 30.0  # inches; a longer side makes the cells smaller instead


def draw_alignment(
    attention: Attention,
    *,
    head: int | Sequence[int] | None = None,
    title: str | None = None,
    numbers: bool = False,
) -> Figure:
    """Draw one head (counted from 1), or the mean of several or of all; rows look at columns.
    `numbers` writes each weight into its cell, in percent."""
    from matplotlib.figure import Figure

    heads = chosen_heads(attention, head)
    weights = mean_weights(attention, heads)
    n_rows, n_columns = weights.shape
    cell = min(_CELL, _LONGEST / max(n_rows, n_columns))
    letters = _LETTERS * cell / _CELL

    figure = Figure(figsize=(1, 1))
    # The axes are placed in inches; the labels stick out, and the tight border takes them in.
    width, height = n_columns * cell, n_rows * cell
    figure.set_size_inches(width, height)
    axes = figure.add_axes((0, 0, 1, 1))
    image = _heat_map(axes, weights)
    _label(axes, attention, letters)
    if numbers:
        _numbers(axes, weights, letters)
    _colour_bar(figure, image, width, height)
    heading = title if title is not None else describe(attention, heads)
    _heading(axes, heading)
    return figure


def _heat_map(axes: Axes, weights: NDArray[np.float32]) -> AxesImage:
    n_rows, n_columns = weights.shape
    top = max(float(weights.max()), 1e-6)
    # One hue from light to dark: read alike by everyone, and in black and white.
    image = axes.imshow(weights, cmap="Blues", vmin=0, vmax=top, aspect="auto")
    axes.set_xticks(np.arange(0.5, n_columns - 1), minor=True)
    axes.set_yticks(np.arange(0.5, n_rows - 1), minor=True)
    axes.grid(which="minor", color="white", linewidth=1)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_color(GRID)
    return image


def _numbers(axes: Axes, weights: NDArray[np.float32], letters: float) -> None:
    top = max(float(weights.max()), 1e-6)
    for (row, column), weight in np.ndenumerate(weights):
        axes.text(column, row, f"{100 * weight:.0f}", ha="center", va="center",
                  fontsize=0.6 * letters, fontfamily=BASE,
                  color="white" if weight > 0.6 * top else INK)  # fmt: skip


def _label(axes: Axes, attention: Attention, letters: float) -> None:
    axes.xaxis.tick_top()
    _ticks(axes, "x", attention.keys, letters, rotation=60, ha="left", rotation_mode="anchor")
    _ticks(axes, "y", attention.queries, letters, va="center")
    axes.tick_params(axis="x", pad=5)
    axes.tick_params(axis="y", pad=5)


def _ticks(axes: Axes, side: str, words: Sequence[str], letters: float, **how: Any) -> None:
    axis = axes.xaxis if side == "x" else axes.yaxis
    axis.set_ticks(
        range(len(words)),
        labels=[printable(word) for word in words],
        fontsize=letters,
        fontfamily=fonts_for("".join(words)),
        color=INK,
        parse_math=False,  # a word may be a $
        **how,
    )


def _colour_bar(figure: Figure, image: AxesImage, width: float, height: float) -> None:
    """A thin scale at the right, at most as high as the map."""
    tall = min(height, 1.8)
    place = ((width + 0.2) / width, 1 - tall / height, 0.1 / width, tall / height)
    bar = figure.colorbar(image, cax=figure.add_axes(place))
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, labelsize=9, labelcolor=QUIET)
    top = image.get_clim()[1] or 1.0
    bar.set_ticks([0, top], labels=["0", f"{100 * top:.0f} %"])


def _heading(axes: Axes, text: str) -> None:
    axes.set_xlabel(
        printable(text),
        fontsize=11,
        fontfamily=fonts_for(text),
        color=QUIET,
        labelpad=8,
        loc="left",
        parse_math=False,
    )
    axes.xaxis.set_label_position("bottom")

"""One word and what it looks at: two columns of words, joined by lines as strong as the weights.

After the figure of "it" in Google's article on the Transformer (2017), drawn with tensor2tensor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heedful.errors import InputError
from heedful.see.pictures.chosen import chosen_heads
from heedful.see.pictures.fonts import BASE, fonts_for, printable
from heedful.see.pictures.save import DPI
from heedful.see.pictures.style import HIGHLIGHT, INK, QUIET, colour
from heedful.see.recording.attention import Attention

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

# All in inches: the axes have inches for units, so that words and lines meet exactly.
_ROW = 0.36
_BOX = 0.9 * _ROW
_GAP = 2.3
_PAD = 0.09
_SWATCH = 0.16
_LETTERS = 16.0
_FAINTEST = 0.02  # of the strongest weight; fainter lines are clutter


def draw_arcs(
    attention: Attention,
    *,
    query: int | None = None,
    head: int | Sequence[int] | None = None,
    title: str | None = None,
) -> Figure:
    """Draw where one query looks, or each of them; `query` is its position in `attention.queries`,
    from 0.

    Heads are counted from 1; several have a colour each, None stands for all.
    """
    from matplotlib.figure import Figure

    heads = chosen_heads(attention, head)
    if query is not None and not 0 <= query < len(attention.queries):
        raise InputError(
            f"{attention.name}: got query {query}, wanted 0 to {len(attention.queries) - 1}"
        )
    figure = Figure(figsize=(1, 1), dpi=DPI)  # the widths of words depend on it
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    several = len(heads) > 1
    words = _GAP + (_SWATCH if several else 0)
    left = -_column(axes, attention.queries, x=0, align="right")
    right = words + _column(axes, attention.keys, x=words, align="left")

    weights = attention.weights[[head - 1 for head in heads]]  # (heads, queries, keys)
    shown = range(len(attention.queries)) if query is None else [query]
    most = max(float(weights[:, list(shown)].max(initial=0)), 1e-6)
    if query is not None:
        _box(axes, left, _y(query), -left, _BOX, HIGHLIGHT, 1)
    for row in shown:
        patch = 0 if query is None else _SWATCH if several else right - words
        _look(axes, weights[:, row] / most, row, patch, [colour(head - 1) for head in heads])

    name = attention.name if several else f"{attention.name}, head {heads[0]}"
    top = _heading(axes, name if title is None else title, heads, left, right)
    n_rows = max(len(attention.queries), len(attention.keys))
    _fit(figure, axes, left=left, right=right, bottom=-n_rows * _ROW, top=top)
    return figure


def _y(row: int) -> float:
    """The middle of a row; rows go down from 0."""
    return -(row + 0.5) * _ROW


def _column(axes: Axes, words: Sequence[str], *, x: float, align: str) -> float:
    """Write the words, and give the width of the column with its padding."""
    fonts = fonts_for("".join(words))
    sign = -1 if align == "right" else 1
    for row, word in enumerate(words):
        axes.text(
            x + sign * _PAD,
            _y(row),
            printable(word),
            ha=align,
            va="center_baseline",
            fontsize=_LETTERS,
            fontfamily=fonts,
            color=INK,
            parse_math=False,
            zorder=3,
        )
    widest = max((_width(axes, text) for text in axes.texts[-len(words) :]), default=0.0)
    return widest + 2 * _PAD


def _width(axes: Axes, text: Text) -> float:
    """In inches, whatever the size that the figure has by now."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    return text.get_window_extent().width / figure.dpi


def _box(
    axes: Axes, x: float, y: float, width: float, height: float, face: str, alpha: float
) -> None:
    """A patch of colour; y is its middle."""
    from matplotlib.patches import Rectangle

    corner = (x, y - height / 2)
    axes.add_patch(
        Rectangle(corner, width, height, facecolor=face, alpha=alpha, linewidth=0, zorder=1)
    )


def _look(
    axes: Axes, strengths: NDArray[np.float32], query: int, width: float, colours: Sequence[str]
) -> None:
    """Lines from the query to the keys, each of which ends in a patch of its colour, if that has a
    width.

    Every head has a band of the row for itself, so that none hides another.
    """
    n_heads = len(strengths)
    band = _BOX / n_heads
    for index, row in np.argwhere(strengths >= _FAINTEST):
        strength = float(strengths[index, row])
        shift = ((n_heads - 1) / 2 - index) * band
        start, end = _y(query) + shift, _y(int(row)) + shift
        # A single head's patch lies behind the word, which must stay easy to read.
        if width:
            shade = strength * (0.5 if n_heads == 1 else 1)
            _box(axes, _GAP, end, width, band, colours[index], shade)
        axes.plot(
            [0, _GAP],
            [start, end],
            color=colours[index],
            alpha=strength,
            linewidth=1 + (3 if n_heads == 1 else 1.5) * strength,
            solid_capstyle="butt",
            zorder=2,
        )


def _heading(axes: Axes, title: str, heads: Sequence[int], left: float, right: float) -> float:
    """The title, and below it the heads in their colours if there are several; gives the top."""
    top = 0.14
    if len(heads) > 1:
        top = _legend(axes, heads, left, right, top)
    axes.text(left, top, printable(title), va="bottom", fontsize=12, fontfamily=fonts_for(title),
              color=QUIET, parse_math=False)  # fmt: skip
    return top + 0.25


def _legend(axes: Axes, heads: Sequence[int], left: float, right: float, bottom: float) -> float:
    """Names of heads from left to right, in as many rows as they need; gives the new top."""
    width, height = 0.78 if max(heads) < 10 else 0.88, 0.22
    a_row = max(1, int((right - left) / width))
    n_rows = -(-len(heads) // a_row)
    for index, head in enumerate(heads):
        row, column = divmod(index, a_row)
        y = bottom + (n_rows - 1 - row) * height
        axes.text(left + column * width, y, f"■ head {head}", va="bottom", fontsize=10.5,
                  fontfamily=BASE, color=colour(head - 1))  # fmt: skip
    return bottom + n_rows * height + 0.04


def _fit(figure: Figure, axes: Axes, left: float, right: float, bottom: float, top: float) -> None:
    """Give the axes inches for units."""
    figure.set_size_inches(right - left, top - bottom)
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)

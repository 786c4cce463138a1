"""The walk of one query as a picture: every number on its way from q · k to what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from heedful.see.pictures.fonts import BASE, fonts_for, printable
from heedful.see.pictures.save import check_format, save
from heedful.see.pictures.style import GRID, INK, QUIET
from heedful.see.recording.record import Candidate, Floats
from heedful.see.recording.walk import Walk

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMN, _ROW, _LABEL = 0.72, 0.34, 2.3  # inches
_LETTERS = 9  # that fit into a column; a longer piece is written smaller
_MOST = 60  # columns


def draw_step(
    walk: Walk,
    path: str | Path,
    *,
    title: str = "",
    predictions: Sequence[Candidate] = (),
) -> Path:
    """A table of scores and weights, then the weighted values and what is made of them. A model
    that puts more beside what it found goes six steps: scores, softmax, attention value,
    concatenation, its layer, prediction."""
    from matplotlib.figure import Figure

    check_format(path)
    shown = _weightiest(walk)
    rows = [(name, numbers[shown], are_weights) for name, numbers, are_weights in _rows(walk)]
    width = _LABEL + len(shown) * _COLUMN
    strips = _strips(walk)
    tall = (len(rows) + 1) * _ROW
    figure = Figure(figsize=(width, tall + 0.62 * len(strips) + 1.1))
    _table(figure, [walk.keys[i] for i in shown], rows, tall)
    _draw_strips(figure, strips, tall)
    bottom = tall + 0.62 * len(strips) + 0.35
    if predictions:
        told = ", ".join(f"{c.piece} {100 * c.probability:.1f} %" for c in predictions)
        _text(figure, 0.05, bottom, f"{'6 ' if walk.joined is not None else ''}prediction: {told}")
    few = f", the {len(shown)} keys of {len(walk.keys)} that weigh most"
    heading = f"“{walk.query}” {title}{few if len(shown) < len(walk.keys) else ''}".strip()
    _text(figure, 0.05, -0.2, heading, colour=QUIET)
    return save(figure, path)


def _weightiest(walk: Walk) -> list[int]:
    """The keys that there is room for, in their order."""
    return sorted(np.argsort(-walk.weights, kind="stable")[:_MOST].tolist())


def _rows(walk: Walk) -> list[tuple[str, Floats, bool]]:
    """Name, numbers, and whether they are weights."""
    has_steps = walk.joined is not None  # which are counted
    divided = (f"÷ √d_k = {walk.divisor:.2f}", walk.scores, False)
    masked = ("mask", walk.masked, False)
    rows = [
        (f"1 scores: {walk.score}" if has_steps else walk.score, walk.products, False),
        *([divided] if walk.divisor != 1 else []),
        *([masked] if not has_steps or np.isneginf(walk.masked).any() else []),
        ("2 softmax" if has_steps else "softmax", walk.softmax, True),
    ]
    if not np.allclose(walk.softmax, walk.weights, atol=1e-4):
        rows.append(("× nearness", walk.weights, True))
    if walk.divisor != 1:
        rows.append(("softmax without ÷ √d_k", walk.undivided, True))
    return rows


def _strips(walk: Walk) -> list[tuple[str, Floats]]:
    if walk.joined is None:
        return [("Σ weight × value", walk.context), (f"after {walk.made_by}", walk.outcome)]
    return [
        ("3 attention value", walk.context),
        ("4 concatenation", walk.joined),
        (f"5 {walk.made_by}", walk.outcome),
    ]


def _table(
    figure: Figure, keys: Sequence[str], rows: Sequence[tuple[str, Floats, bool]], tall: float
) -> None:
    axes = _axes(figure, 0, tall)
    axes.set_xlim(0, _LABEL + len(keys) * _COLUMN)
    axes.set_ylim(tall, 0)
    for n, key in enumerate(keys):
        axes.text(_LABEL + (n + 0.5) * _COLUMN, _ROW / 2, printable(key), ha="center", va="center",
                  fontsize=10 * min(1, _LETTERS / max(1, len(key))), fontfamily=fonts_for(key),
                  color=INK, parse_math=False)  # fmt: skip
    for m, (name, numbers, are_weights) in enumerate(rows, start=1):
        y = (m + 0.5) * _ROW
        axes.text(0.05, y, name, va="center", fontsize=10, fontfamily=BASE, color=INK)
        for n, number in enumerate(numbers):
            x = _LABEL + n * _COLUMN
            if are_weights:
                _box(axes, x, m * _ROW, float(number))
            shown = "−∞" if np.isneginf(number) else f"{number:.2f}"
            dark = are_weights and number > 0.55
            axes.text(x + _COLUMN / 2, y, shown, ha="center", va="center", fontsize=9,
                      fontfamily=BASE, color="white" if dark else INK)  # fmt: skip


def _box(axes: Axes, x: float, y: float, weight: float) -> None:
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    face = colormaps["Blues"](0.9 * weight)
    axes.add_patch(Rectangle((x, y), _COLUMN, _ROW, facecolor=face, edgecolor=GRID, linewidth=0.5))


def _draw_strips(figure: Figure, strips: Sequence[tuple[str, Floats]], top: float) -> None:
    for n, (name, numbers) in enumerate(strips):
        y = top + 0.62 * n + 0.2
        _text(figure, 0.05, y + 0.17, name)
        axes = _axes(figure, y, 0.34, left=_LABEL)
        most = max(float(np.abs(numbers).max()), 1e-6)
        axes.imshow(numbers[None], cmap="RdBu", vmin=-most, vmax=most, aspect="auto")
        axes.text(1.01, 0.5, f"{len(numbers)} numbers, ±{most:.1f}", transform=axes.transAxes,
                  va="center", fontsize=8, fontfamily=BASE, color=QUIET)  # fmt: skip


def _axes(figure: Figure, top: float, tall: float, left: float = 0.0) -> Axes:
    """Placed in inches from the upper left corner."""
    width, height = figure.get_size_inches()
    place = (left / width, 1 - (top + tall) / height, 1 - left / width, tall / height)
    axes = figure.add_axes(place)
    axes.set_axis_off()
    return axes


def _text(figure: Figure, x: float, y: float, text: str, colour: str = INK) -> None:
    width, height = figure.get_size_inches()
    figure.text(x / width, 1 - y / height, printable(text), va="center", fontsize=10,
                fontfamily=fonts_for(text), color=colour, parse_math=False)  # fmt: skip

"""The walk of one query as a picture: every number on its way from q · k to what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from heedful.see.pictures.fonts import fonts_for, printable
from heedful.see.pictures.numbers import HEIGHT, WIDTH, box, draw_vector, rows_of
from heedful.see.pictures.style import INK, QUIET
from heedful.see.recording.attention import Floats
from heedful.see.recording.record import Candidate
from heedful.see.recording.walk import Walk

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMN, _ROW, _LABEL, _GAP = 0.72, 0.34, 2.3, 0.22  # inches, as the axes have for units
_EDGE = 0.02  # right of the last box: its border has a width too
_NARROWEST = 7.5  # of what is beside the labels: some numbers of a vector want room
_LETTERS = 9  # that fit into a column; a longer piece is written smaller
_MOST = 60  # columns


def draw_step(walk: Walk, *, title: str = "", predictions: Sequence[Candidate] = ()) -> Figure:
    """A table of scores and weights, then the sum of the values and what is made of it. A model
    that puts more beside what it found goes six steps: scores, softmax, attention value,
    concatenation, its layer, prediction."""
    from matplotlib.figure import Figure

    shown = _weightiest(walk)
    room = max(len(shown) * _COLUMN, _NARROWEST)
    figure = Figure()
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    few = f", the {len(shown)} keys of {len(walk.keys)} that weigh most"
    heading = f"“{walk.query}” {title}{few if len(shown) < len(walk.keys) else ''}".strip()
    _text(axes, -0.2, heading, colour=QUIET)
    rows = [(name, numbers[shown], are_weights) for name, numbers, are_weights in _rows(walk)]
    y = _table(axes, [walk.keys[i] for i in shown], rows) + _GAP
    for name, numbers, both_ends in _vectors(walk):
        places = rows_of(len(numbers), int(room / WIDTH), both_ends=both_ends)
        _text(axes, y + HEIGHT / 2, name)
        draw_vector(axes, _LABEL, y, numbers, places)
        y += len(places) * HEIGHT + _GAP
    if predictions:
        told = ", ".join(f"{c.piece} {100 * c.probability:.1f} %" for c in predictions)
        _text(axes, y + HEIGHT / 2, _counted(walk, 6, f"prediction: {told}"))
        y += HEIGHT
    width = _LABEL + room + _EDGE
    figure.set_size_inches(width, y)
    axes.set_xlim(0, width)
    axes.set_ylim(y, 0)
    return figure


def _weightiest(walk: Walk) -> list[int]:
    """The keys that there is room for, in their order."""
    return sorted(np.argsort(-walk.weights, kind="stable")[:_MOST].tolist())


def _counted(walk: Walk, n: int, name: str) -> str:
    """With its number, where steps are counted."""
    return name if walk.joined is None else f"{n} {name}"


def _rows(walk: Walk) -> list[tuple[str, Floats, bool]]:
    """Name, numbers, and whether they are weights."""
    has_steps = walk.joined is not None
    divided = (f"÷ √d_k = {walk.divisor:.2f}", walk.scores, False)
    masked = ("mask", walk.masked, False)
    rows = [
        (_counted(walk, 1, f"scores: {walk.score}" if has_steps else walk.score),
         walk.products, False),
        *([divided] if walk.divisor != 1 else []),
        *([masked] if not has_steps or np.isneginf(walk.masked).any() else []),
        (_counted(walk, 2, "softmax"), walk.softmax, True),
    ]  # fmt: skip
    if not np.allclose(walk.softmax, walk.weights, atol=1e-4):
        rows.append(("× nearness", walk.weights, True))
    if walk.divisor != 1:
        rows.append(("softmax without ÷ √d_k", walk.undivided, True))
    return rows


def _vectors(walk: Walk) -> list[tuple[str, Floats, bool]]:
    """Name, numbers, and whether both ends are shown: of what was put together."""
    if walk.joined is None:
        return [
            ("Σ weight × value", walk.context, False),
            (f"after {walk.made_by}", walk.outcome, False),
        ]
    return [
        ("3 attention value", walk.context, False),
        ("4 concatenation", walk.joined, True),
        (f"5 {walk.made_by}", walk.outcome, False),
    ]


def _table(axes: Axes, keys: Sequence[str], rows: Sequence[tuple[str, Floats, bool]]) -> float:
    """Gives its lower edge."""
    from matplotlib import colormaps

    for n, key in enumerate(keys):
        axes.text(_LABEL + (n + 0.5) * _COLUMN, _ROW / 2, printable(key), ha="center", va="center",
                  fontsize=10 * min(1, _LETTERS / max(1, len(key))), fontfamily=fonts_for(key),
                  color=INK, parse_math=False)  # fmt: skip
    for m, (name, numbers, are_weights) in enumerate(rows, start=1):
        _text(axes, (m + 0.5) * _ROW, name)
        for n, number in enumerate(numbers):
            place = (_LABEL + n * _COLUMN, m * _ROW, _COLUMN, _ROW)
            face = colormaps["Blues"](0.9 * float(number)) if are_weights else None
            box(axes, place, number, face, are_weights and bool(number > 0.55))
    return (len(rows) + 1) * _ROW


def _text(axes: Axes, y: float, text: str, colour: str = INK) -> None:
    axes.text(0.05, y, printable(text), va="center", fontsize=10, fontfamily=fonts_for(text),
              color=colour, parse_math=False)  # fmt: skip

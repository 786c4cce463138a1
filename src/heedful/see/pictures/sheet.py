"""Several pictures on one sheet."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heedful.errors import HeedfulError
from heedful.see.pictures.fonts import BASE
from heedful.see.pictures.save import check_format, save
from heedful.see.pictures.style import QUIET

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WIDTH = 15.0  # inches
_COLUMNS = 2
_HEADING = 0.4
_WIDE = 1.9  # times as wide as high: such a picture goes below, over all columns

Place = tuple[float, float, float, float]
"""Left, top, width and height, in inches from the upper left corner."""


Draw = Callable[[Path], Path]
OnMissing = Callable[[str, HeedfulError], None]


def draw_sheet(pictures: Mapping[str, Draw], path: str | Path, on_missing: OnMissing) -> Path:
    """Each drawn by itself, then all on one sheet; `on_missing` is told of those there are not."""
    from matplotlib.figure import Figure

    check_format(path)
    shown = _drawn(pictures, on_missing)
    places, tall = _arranged({name: i.shape[1] / i.shape[0] for name, i in shown.items()})
    figure = Figure(figsize=(_WIDTH, tall))
    for name, (left, top, width, height) in places.items():
        figure.text((left + 0.15) / _WIDTH, 1 - (top + 0.25) / tall, name, fontsize=11,
                    color=QUIET, fontfamily=BASE)  # fmt: skip
        axes = figure.add_axes(
            (
                left / _WIDTH,
                1 - (top + _HEADING + height) / tall,
                width / _WIDTH,
                height / tall,
            )
        )
        axes.imshow(shown[name], aspect="auto", interpolation="lanczos")
        axes.set_axis_off()
    return save(figure, path)


def _arranged(shapes: Mapping[str, float]) -> tuple[dict[str, Place], float]:
    """From how many times as wide as high each is -> its place, and the height of the sheet."""
    places: dict[str, Place] = {}
    column, ends = _WIDTH / _COLUMNS, [0.0] * _COLUMNS
    for name, shape in shapes.items():
        if shape < _WIDE:  # to the column that is shorter so far
            shorter = ends.index(min(ends))
            places[name] = (shorter * column, ends[shorter], column, column / shape)
            ends[shorter] += column / shape + _HEADING
    end = max(ends)
    for name, shape in shapes.items():
        if shape >= _WIDE:
            places[name] = (0.0, end, _WIDTH, _WIDTH / shape)
            end += _WIDTH / shape + _HEADING
    return places, end


def _drawn(pictures: Mapping[str, Draw], on_missing: OnMissing) -> dict[str, NDArray[Any]]:
    from matplotlib.image import imread

    found, missing = {}, None
    with tempfile.TemporaryDirectory() as folder:
        for name, draw in pictures.items():
            try:
                found[name] = imread(draw(Path(folder) / f"{name}.png"))
            except HeedfulError as error:
                missing = error
                on_missing(name, error)
    if missing is not None and not found:
        raise missing
    return found

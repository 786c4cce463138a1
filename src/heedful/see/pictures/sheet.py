"""Several pictures on one sheet, or one after the other on the pages of a PDF."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from heedful.see.pictures.fonts import BASE
from heedful.see.pictures.nested_svg import Drawing, nested
from heedful.see.pictures.save import METADATA, check_format, save, whole_file, write
from heedful.see.pictures.style import QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH = 15.0  # inches
_COLUMNS = 2
_HEADING = 0.4
_WIDE = 1.9  # times as wide as high: such a picture goes below, over all columns

Place = tuple[float, float, float, float]
"""Left, top, width and height, in inches from the upper left corner."""


def save_sheet(figures: Mapping[str, Figure], path: str | Path) -> Path:
    """By the ending: pixels, vectors around vectors, or pages, each a picture of vectors."""
    match check_format(path):
        case "pdf":
            return _pages(figures, path)
        case "svg":
            return _vectors(figures, path)
        case _:
            return _pixels(figures, path)


def _pages(figures: Mapping[str, Figure], path: str | Path) -> Path:
    from matplotlib.backends.backend_pdf import PdfPages

    with whole_file(path) as partial, PdfPages(partial, metadata=METADATA["pdf"]) as pages:
        for figure in figures.values():
            write(figure, pages, "pdf")
    return Path(path)


def _vectors(figures: Mapping[str, Figure], path: str | Path) -> Path:
    drawings = {name: Drawing.read(_written(figure, "svg")) for name, figure in figures.items()}
    places, tall = _arranged({name: drawn.shape for name, drawn in drawings.items()})
    with whole_file(path) as partial:
        partial.write_bytes(nested(drawings, _below_headings(places), (_WIDTH, tall)))
    return Path(path)


def _pixels(figures: Mapping[str, Figure], path: str | Path) -> Path:
    from matplotlib.figure import Figure
    from matplotlib.image import imread

    shown = {name: imread(_written(figure, "png")) for name, figure in figures.items()}
    places, tall = _arranged({name: i.shape[1] / i.shape[0] for name, i in shown.items()})
    sheet = Figure(figsize=(_WIDTH, tall))
    for name, (left, top, width, height) in _below_headings(places).items():
        sheet.text((left + 0.15) / _WIDTH, 1 - (top - 0.15) / tall, name, fontsize=11, color=QUIET,
                   fontfamily=BASE)  # fmt: skip
        axes = sheet.add_axes(
            (left / _WIDTH, 1 - (top + height) / tall, width / _WIDTH, height / tall)
        )
        axes.imshow(shown[name], aspect="auto", interpolation="lanczos")
        axes.set_axis_off()
    return save(sheet, path)


def _written(figure: Figure, ending: str) -> BytesIO:
    content = BytesIO()
    write(figure, content, ending)
    content.seek(0)
    return content


def _arranged(shapes: Mapping[str, float]) -> tuple[dict[str, Place], float]:
    """From how many times as wide as high each is -> its place with that of its name above it, and
    the height of the sheet."""
    places: dict[str, Place] = {}
    column, ends = _WIDTH / _COLUMNS, [0.0] * _COLUMNS
    for name, shape in shapes.items():
        if shape < _WIDE:  # to the column that is shorter so far
            shorter = ends.index(min(ends))
            places[name] = (shorter * column, ends[shorter], column, column / shape + _HEADING)
            ends[shorter] += places[name][3]
    end = max(ends)
    for name, shape in shapes.items():
        if shape >= _WIDE:
            places[name] = (0.0, end, _WIDTH, _WIDTH / shape + _HEADING)
            end += places[name][3]
    return places, end


def _below_headings(places: Mapping[str, Place]) -> dict[str, Place]:
    """Of the pictures themselves."""
    return {
        name: (left, top + _HEADING, width, height - _HEADING)
        for name, (left, top, width, height) in places.items()
    }

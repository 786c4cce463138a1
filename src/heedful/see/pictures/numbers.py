"""Numbers in boxes: a vector with as many as there is room for, and what every box looks like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from heedful.see.pictures.fonts import BASE
from heedful.see.pictures.style import GRID, INK, QUIET
from heedful.see.recording.attention import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, HEIGHT = 0.5, 0.3  # inches of a vector's box; the axes have inches for units
_ROWS = 2  # of a vector
_MARK = 3  # boxes that "… 1234 more" takes the room of

Row = tuple[Sequence[int], int]
"""Places in the vector, and how many are left out behind them."""


def rows_of(n: int, room: int, *, both_ends: bool = False) -> list[Row]:
    """Which of n numbers are shown, with room for so many in a row; `both_ends` leaves out those in
    the middle, not at the end."""
    if n <= _ROWS * room:
        return [(range(start, min(n, start + room)), 0) for start in range(0, n, room)]
    short, left = room - _MARK, n - (_ROWS * room - _MARK)
    if both_ends:
        return [(range(short), left), (range(n - room, n), 0)]
    return [(range(room), 0), (range(room, room + short), left)]


def draw_vector(axes: Axes, x: float, y: float, numbers: Floats, rows: Sequence[Row]) -> None:
    """Blue above nothing, red below; x and y are the upper left corner."""
    from matplotlib import colormaps

    most = max(float(np.abs(numbers).max()), 1e-6)
    for n, (places, left) in enumerate(rows):
        top = y + n * HEIGHT
        for m, place in enumerate(places):
            share = float(numbers[place]) / most
            face = colormaps["RdBu"](0.5 + 0.45 * share)
            box(axes, (x + m * WIDTH, top, WIDTH, HEIGHT), numbers[place], face, abs(share) > 0.6)
        if left:
            axes.text(x + (len(places) + 0.2) * WIDTH, top + HEIGHT / 2, f"… {left} more",
                      va="center", fontsize=9, fontfamily=BASE, color=QUIET)  # fmt: skip


def box(
    axes: Axes,
    place: tuple[float, float, float, float],
    number: np.float32,
    face: tuple[float, float, float, float] | None = None,
    is_dark: bool = False,
) -> None:
    """A number in the middle of (left, top, width, height), on a colour if there is one."""
    from matplotlib.patches import Rectangle

    left, top, width, height = place
    if face is not None:
        axes.add_patch(
            Rectangle((left, top), width, height, facecolor=face, edgecolor=GRID, linewidth=0.5)
        )
    shown = "−∞" if np.isneginf(number) else f"{number:.2f}".replace("-0.00", "0.00")
    axes.text(left + width / 2, top + height / 2, shown, ha="center", va="center", fontsize=9,
              fontfamily=BASE, color="white" if is_dark else INK)  # fmt: skip

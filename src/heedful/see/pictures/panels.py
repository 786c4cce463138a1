"""What pictures of several small maps share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from heedful.see.pictures.fonts import BASE, fonts_for, printable
from heedful.see.pictures.style import GRID, INK, QUIET

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SMALL = 30  # words that are still written along a small map


def word_map(
    axes: Axes,
    numbers: NDArray[Any],
    rows: Sequence[str],
    columns: Sequence[str],
    heading: str,
    **how: Any,
) -> None:
    """A heat map with words along it, as long as they can be read."""
    axes.imshow(numbers, aspect="auto", **how)
    slanted: dict[str, Any] = {"rotation": 60, "ha": "left", "rotation_mode": "anchor"}
    upright: dict[str, Any] = {}
    for axis, words, more in ((axes.yaxis, rows, upright), (axes.xaxis, columns, slanted)):
        shown = words if len(words) <= SMALL else ()
        axis.set_ticks(
            range(len(shown)),
            labels=[printable(word) for word in shown],
            fontsize=9,
            fontfamily=fonts_for("".join(words)),
            color=INK,
            parse_math=False,
            **more,
        )
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_color(GRID)
    axes.set_xlabel(heading, fontsize=10, color=QUIET, fontfamily=BASE, loc="left")
    axes.xaxis.set_label_position("bottom")

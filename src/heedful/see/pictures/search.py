"""The search as a tree: what it tried, what it gave up, what it chose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heedful.errors import InputError
from heedful.see.pictures.fonts import BASE, fonts_for, printable
from heedful.see.pictures.style import INK, QUIET, colour
from heedful.see.recording.record import Node

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROW, _BAND = 0.36, 0.35  # inches
_GAP, _LETTER = 0.55, 0.085
_LONGEST = 12  # steps side by side; then it goes on below


def draw_search(nodes: Sequence[Node], *, title: str = "") -> Figure:
    """Steps from left to right, at each the candidates from the best downwards; what was chosen is
    in colour, what was given up at once pale."""
    from matplotlib.figure import Figure

    if not nodes:
        raise InputError(
            "there is no search to draw: leave the target out, so that one is searched for"
        )
    step = _step(nodes)
    places, width, height = _places(nodes, step)
    figure = Figure(figsize=(width + 0.2, height + 0.6))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(-0.2, width)
    axes.set_ylim(height, -0.6)
    fonts = fonts_for("".join(node.piece for node in nodes))
    for node, (x, y) in zip(nodes, places, strict=True):
        strength = {"goes on": 0.85, "ends": 0.85, "given up": 0.6}[node.fate]
        shade = colour(0) if node.chosen else INK
        if node.parent is not None:
            before, start = places[node.parent]
            goes_on = before < x  # else it stands at the end of the band above
            start_x = before + step - _GAP if goes_on else x - 0.3
            axes.plot([start_x, x - 0.05], [start if goes_on else y, y], color=shade,
                      linewidth=2 if node.chosen else 0.8, alpha=strength * 0.7,
                      solid_capstyle="round")  # fmt: skip
        mark = " ■" if node.fate == "ends" else ""
        axes.text(x, y, printable(node.piece) + mark, va="center", fontsize=9, fontfamily=fonts,
                  color=shade, alpha=strength, parse_math=False,
                  fontweight="bold" if node.chosen else "normal")  # fmt: skip
        axes.text(x, y + 0.17, _percent(node.probability), va="center", fontsize=7,
                  fontfamily=BASE, color=QUIET, alpha=strength)  # fmt: skip
    axes.text(0, -0.45, printable(title), fontsize=11, fontfamily=fonts_for(title), color=QUIET,
              parse_math=False)  # fmt: skip
    return figure


def _percent(probability: float) -> str:
    """What was tried was not impossible."""
    return "< 1 %" if probability < 0.005 else f"{100 * probability:.0f} %"


def _step(nodes: Sequence[Node]) -> float:
    """From one piece to the next, in inches: the longest has its room, and a line behind it."""
    return _LETTER * max(4, *(len(node.piece) + 2 for node in nodes)) + _GAP


def _places(nodes: Sequence[Node], step: float) -> tuple[list[tuple[float, float]], float, float]:
    """Of each node in inches, and how wide and high all is."""
    rows = _rows(nodes)
    n_steps = max(node.step for node in nodes)
    band = (max(rows) + 1) * _ROW + _BAND
    places = [
        ((node.step - 1) % _LONGEST * step, (node.step - 1) // _LONGEST * band + row * _ROW)
        for node, row in zip(nodes, rows, strict=True)
    ]
    return places, min(n_steps, _LONGEST) * step, ((n_steps - 1) // _LONGEST + 1) * band


def _rows(nodes: Sequence[Node]) -> list[int]:
    """A node's place among those of its step, best first."""
    seen: dict[int, int] = {}
    rows = []
    for node in nodes:
        rows.append(seen.get(node.step, 0))
        seen[node.step] = rows[-1] + 1
    return rows

"""The learning curve of a run, from the records of its metrics.jsonl."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from heedful.see.pictures.fonts import BASE, fonts_for, printable
from heedful.see.pictures.style import GRID, INK, QUIET, colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Points = list[tuple[float, float]]

# Panels from top to bottom: heading, height, and the lines in it as (field, name, colour).
_PANELS = (
    ("loss", 2.4, (("loss", "training", 0), ("valid_loss", "validation", 1))),
    ("BLEU", 1.8, (("bleu", "validation", 1),)),
    ("learning rate", 1.1, (("rate", "rate", 0),)),
)
_WIDTH = 6.5
_CROWD = 40  # more points than these are drawn without dots


def draw_curve(metrics: Sequence[Mapping[str, Any]], *, title: str | None = None) -> Figure:
    """Draw loss, BLEU and rate over the steps; what the records lack is left out."""
    from matplotlib.figure import Figure

    panels = [panel for panel in _PANELS if any(_points(metrics, line[0]) for line in panel[2])]
    heights = [panel[1] for panel in panels]
    figure = Figure(figsize=(_WIDTH, sum(heights) + 0.6 or 2), layout="constrained")
    if title is not None:
        figure.suptitle(
            printable(title), fontsize=13, fontfamily=fonts_for(title), color=INK, parse_math=False
        )
    if not panels:
        figure.set_size_inches(_WIDTH, 1.6)
        figure.text(0.5, 0.4, "no measurements yet", ha="center", color=QUIET, fontfamily=BASE)
        return figure
    column = figure.subplots(len(panels), 1, sharex=True, squeeze=False, height_ratios=heights)[
        :, 0
    ]
    for axes, (heading, _, lines) in zip(column, panels, strict=True):
        _panel(axes, heading, [(_points(metrics, f), name, c) for f, name, c in lines])
    column[-1].set_xlabel("step", color=INK, fontfamily=BASE)
    return figure


def _points(metrics: Sequence[Mapping[str, Any]], field: str) -> Points:
    """(step, value) of all records that have the field as a finite number, by step."""
    pairs = ((record.get("step"), record.get(field)) for record in metrics)
    return sorted((x, y) for x, y in pairs if _is_number(x) and _is_number(y))


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and math.isfinite(value)


def _panel(axes: Axes, heading: str, lines: Sequence[tuple[Points, str, int]]) -> None:
    _plain(axes)
    axes.set_title(heading, loc="left", fontsize=11, color=INK, fontfamily=BASE)
    drawn = [line for line in lines if line[0]]
    for points, name, index in drawn:
        steps, values = zip(*points, strict=True)
        dots = "o" if len(points) <= _CROWD else ""
        axes.plot(steps, values, color=colour(index), label=name, marker=dots, markersize=4,
                  linewidth=1.6)  # fmt: skip
    if len(drawn) > 1:
        axes.legend(frameon=False, labelcolor="linecolor", prop={"family": BASE, "size": 10})
    if heading == "learning rate":
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:.3g}")
    else:
        axes.ticklabel_format(axis="y", style="plain", useOffset=False)
    if heading == "BLEU":
        _mark_best(axes, drawn[0][0], colour(drawn[0][2]))


def _plain(axes: Axes) -> None:
    from matplotlib.ticker import EngFormatter, MaxNLocator

    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(GRID)
    axes.grid(color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, labelsize=9, labelcolor=QUIET, labelfontfamily=BASE)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=True, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))  # 20k, not 20000
    axes.margins(y=0.12)


def _mark_best(axes: Axes, points: Points, shade: str) -> None:
    # Above the highest point there is no line to write over, only too little room.
    axes.margins(y=0.25)
    step, value = max(points, key=lambda point: (point[1], -point[0]))
    axes.plot([step], [value], marker="o", markersize=9, markerfacecolor="none",
              markeredgecolor=shade, linestyle="")  # fmt: skip
    axes.annotate(
        f"best {value:.1f}", (step, value), xytext=(0, 7), textcoords="offset points",
        ha="center", va="bottom", fontsize=9, color=shade, fontfamily=BASE,
    )  # fmt: skip

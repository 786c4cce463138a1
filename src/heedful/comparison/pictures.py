"""The pictures of comparisons: lines over a few places, or over a range."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from heedful.see.pictures.fonts import BASE
from heedful.see.pictures.save import save
from heedful.see.pictures.style import GRID, INK, QUIET, colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKERS = "osD^vPX*"


def draw_lengths(places: Sequence[str], curves: Mapping[str, Sequence[float]], path: Path) -> Path:
    """BLEU over groups of sentences, a line for each model."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.5, 3.8), layout="constrained")
    axes = figure.subplots()
    for n, (name, values) in enumerate(curves.items()):
        axes.plot(range(len(places)), values, **line(n), label=name)
    axes.set_xticks(range(len(places)), places)
    plain(axes, "words of the source sentence", "BLEU")
    axes.set_ylim(bottom=0)
    figure.legend(frameon=False, labelcolor="linecolor", loc="outside right center",
                  prop={"family": BASE, "size": 10})  # fmt: skip
    return save(figure, path)


def line(n: int) -> dict[str, Any]:
    """The look of the n-th line: told apart by colour, and by marker for those who see none."""
    return {
        "color": colour(n), "marker": MARKERS[n % len(MARKERS)], "markersize": 5, "linewidth": 1.8,
    }  # fmt: skip


def plain(axes: Axes, x: str, y: str) -> None:
    """A quiet frame with these names along it."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(GRID)
    axes.grid(color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, labelsize=9, labelcolor=QUIET, labelfontfamily=BASE)
    axes.set_xlabel(x, color=INK, fontfamily=BASE)
    axes.set_ylabel(y, color=INK, fontfamily=BASE)


Curves = Mapping[str, Sequence[tuple[float, float]]]


def draw_growth(panels: Sequence[tuple[Curves, str, str]], path: Path) -> Path:
    """Four panels, each with curves and the names of its axes, which go in powers of two and ten: a
    straight line is a power."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 8), layout="constrained")
    grid = figure.subplots(2, 2).flatten()
    for axes, (curves, x, y) in zip(grid, panels, strict=True):
        for n, (name, points) in enumerate(curves.items()):
            axes.plot(*zip(*points, strict=True), **line(n), label=name)
        plain(axes, x, y)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    lines = grid[0].get_legend_handles_labels()
    figure.legend(*lines, frameon=False, labelcolor="linecolor", loc="outside lower center",
                  prop={"family": BASE, "size": 9}, ncols=4)  # fmt: skip
    return save(figure, path)


def draw_accuracy(
    found: Mapping[str, Sequence[tuple[float, Sequence[float]]]],
    path: Path,
    *,
    chance: float,
    trained: float,
) -> Path:
    """Accuracy against distance, of each seed; beyond `trained` no model has learnt anything."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    axes.axvspan(trained, max(x for points in found.values() for x, _ in points) * 1.1,
                 color=GRID, alpha=0.5, linewidth=0)  # fmt: skip
    axes.axhline(chance, color=QUIET, linestyle="--", linewidth=1)
    for n, (name, points) in enumerate(found.items()):
        distances, seeds = zip(*points, strict=True)
        axes.fill_between(distances, [min(s) for s in seeds], [max(s) for s in seeds],
                          color=colour(n), alpha=0.12, linewidth=0)  # fmt: skip
        means = [statistics.mean(s) for s in seeds]  # those that lie on each other are told apart
        label = f"{name}, {means[-1]:.0f} % at the end"
        axes.plot(distances, means, **line(n), label=label)
    plain(axes, "steps back to what matters (grey: further than in training)", "accuracy, %")
    axes.text(1, chance + 1.5, "chance", color=QUIET, fontsize=9, fontfamily=BASE)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_ylim(0, 104)
    axes.legend(frameon=False, labelcolor="linecolor", prop={"family": BASE, "size": 9},
                loc="center left", bbox_to_anchor=(1, 0.5))  # fmt: skip
    return save(figure, path)


Spans = Sequence[tuple[int, float, float]]
"""d_k, a number before training, and after it."""


def draw_scaling(
    losses: Mapping[int, Curves],
    entropy: Mapping[str, Spans],
    gradient: Mapping[str, Spans],
    path: Path,
) -> Path:
    """A panel of loss curves for each width, then entropy and gradient against the width: thin
    before the first step, thick after the last."""
    from matplotlib.figure import Figure, SubFigure

    figure = Figure(figsize=(3.1 * len(losses), 6.4), layout="constrained")
    above, below = cast(list[SubFigure], figure.subfigures(2, 1))
    top = above.subplots(1, len(losses), sharey=True, squeeze=False)[0]
    for axes, (d_k, curves) in zip(top, losses.items(), strict=True):
        for n, (name, points) in enumerate(curves.items()):
            xs, ys = zip(*points, strict=True)
            axes.plot(xs, ys, color=colour(n), linewidth=1.6, label=name)
        plain(axes, "step", "loss" if axes is top[0] else "")
        axes.set_title(f"d_k = {d_k}", loc="left", fontsize=11, color=INK, fontfamily=BASE)
    top[0].legend(frameon=False, labelcolor="linecolor", prop={"family": BASE, "size": 10})
    bottom = below.subplots(1, 2)
    for axes, by_score, y in (
        (bottom[0], entropy, "entropy of the weights, bits"),
        (bottom[1], gradient, "gradient of the scores' weights"),
    ):
        for n, (name, spans) in enumerate(by_score.items()):
            widths, before, after = zip(*spans, strict=True)
            axes.plot(widths, before, color=colour(n), linewidth=1, linestyle="--",
                      label=f"{name}, before the first step")  # fmt: skip
            axes.plot(widths, after, **line(n), label=f"{name}, after the last")
        plain(axes, "d_k", y)
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    bottom[1].set_yscale("log")
    bottom[0].legend(frameon=False, labelcolor="linecolor", prop={"family": BASE, "size": 10})
    return save(figure, path)

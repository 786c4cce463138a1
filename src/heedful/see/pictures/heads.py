"""All heads of one attention, layer by layer, as small heat maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heedful.errors import InputError
from heedful.see.pictures.fonts import BASE
from heedful.see.pictures.style import GRID, INK, QUIET
from heedful.see.recording.attention import Attention, Kind
from heedful.see.recording.record import Record
from heedful.see.recording.statistics import head_statistics

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_CELL = 1.35  # inches a side
RULE = "full colour is each map's largest weight"  # heads may differ tenfold; the page says it too


def draw_heads(record: Record, *, kind: Kind = "encoder") -> Figure:
    """A row a layer, a column a head; under each its entropy and how far it looks."""
    from matplotlib.figure import Figure

    rows = [attention for attention in record.attentions if attention.kind == kind]
    if not rows:
        known = ", ".join(sorted({attention.kind for attention in record.attentions}))
        raise InputError(f"this model has no {kind} attention to draw, only {known}")
    n_heads = max(attention.n_heads for attention in rows)
    size = (n_heads * _CELL + 0.7, len(rows) * (_CELL + 0.45) + 0.5)
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(len(rows), n_heads, squeeze=False)
    for axes_of_row, attention in zip(panels, rows, strict=True):
        for head, axes in enumerate(axes_of_row):
            _map(axes, attention, head)
        axes_of_row[0].set_ylabel(f"layer {attention.layer}", color=INK, fontfamily=BASE)
    for head, axes in enumerate(panels[0]):
        axes.set_title(f"head {head + 1}", fontsize=10, color=INK, fontfamily=BASE)
    name = "saliency, for want of attention" if kind == "saliency" else f"{kind} attention"
    told = f"{name}: rows look at columns\n{RULE}"
    figure.suptitle(told, fontsize=11, color=QUIET, fontfamily=BASE)
    return figure


def _map(axes: Axes, attention: Attention, head: int) -> None:
    if head >= attention.n_heads:
        axes.set_axis_off()
        return
    weights = attention.weights[head]
    axes.imshow(weights, cmap="Blues", vmin=0, vmax=max(float(weights.max()), 1e-6), aspect="auto")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines[:].set_color(GRID)
    of_head = head_statistics(attention)[head]
    axes.set_xlabel(f"{of_head.entropy:.1f} bits · {of_head.distance:.1f} away", fontsize=8,
                    color=QUIET, fontfamily=BASE)  # fmt: skip

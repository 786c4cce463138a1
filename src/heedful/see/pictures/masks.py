"""The masks of one sentence, and how much each takes away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heedful.errors import InputError
from heedful.see.pictures.fonts import BASE
from heedful.see.pictures.panels import word_map
from heedful.see.pictures.style import QUIET
from heedful.see.recording.attention import Attention
from heedful.see.recording.record import Record
from heedful.see.recording.walk import softmax

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAD = "<pad>"
PADDING = 3  # positions that a longer sentence of the batch would add
WINDOW = 2  # words to each side, where a window is only tried


def draw_masks(record: Record) -> Figure:
    """The mask of each kind of attention in the first layer that has it; source masks with some
    padding, as in a batch with a longer sentence. A model that looks everywhere is also shown what
    a window would take from it."""
    from matplotlib.figure import Figure

    panels = [panel for attention in _first_of_each_kind(record) for panel in _panels(attention)]
    if not panels:
        raise InputError("this model has no attention, and so no masks")
    longest = max(len(panel.rows) for panel in panels)
    figure = Figure(figsize=(4.6 * len(panels), 1.6 + 0.22 * longest), layout="constrained")
    for axes, panel in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        word_map(
            axes, panel.mask, panel.rows, panel.columns, panel.told, cmap="Blues", vmin=0, vmax=1.4
        )
    rule = "blue: may be looked at; white: removed"
    if any(PAD in panel.columns for panel in panels):
        rule += f". {PAD} is an example: what a longer sentence of the same batch would add"
    figure.suptitle(rule, fontsize=10, color=QUIET, fontfamily=BASE, x=0.01, ha="left")
    return figure


@dataclass(frozen=True, eq=False)
class _Panel:
    mask: NDArray[np.bool_]
    rows: Sequence[str]
    columns: Sequence[str]
    told: str


def _first_of_each_kind(record: Record) -> list[Attention]:
    found: dict[str, Attention] = {}
    for attention in record.attentions:
        if attention.working is not None:
            found.setdefault(attention.kind, attention)
    return list(found.values())


def _panels(attention: Attention) -> list[_Panel]:
    assert attention.working is not None
    mask, rows, columns = attention.working.mask, attention.queries, attention.keys
    if attention.kind == "decoder":  # it never meets the padding: that comes after the end
        told = _removed("decoder", mask) + _weight_of(attention, mask)
        return [_Panel(mask, rows, columns, told)]
    more = np.zeros((len(mask), PADDING), dtype=bool)
    padded = np.concatenate([mask, more], axis=1)
    with_padding = (*columns, *[PAD] * PADDING)
    told = _removed(attention.kind, padded)  # nobody knows what padding would have got
    panels = [_Panel(padded, rows, with_padding, told)]
    if attention.kind == "encoder" and mask.all():
        near = np.abs(np.arange(len(rows))[:, None] - np.arange(len(columns))) <= WINDOW
        told = _removed(f"encoder, if it had a window of {WINDOW}", near)
        told += _weight_of(attention, near)
        panels.append(_Panel(near, rows, columns, told))
    return panels


def _removed(name: str, mask: NDArray[np.bool_]) -> str:
    return f"{name}: {int((~mask).sum())} of {mask.size} pairs removed"


def _weight_of(attention: Attention, mask: NDArray[np.bool_]) -> str:
    """The share of the weight that would lie on what the mask removes, without it."""
    assert attention.working is not None
    free = softmax(attention.working.scores)
    gone = 100 * float((free * ~mask).sum() / free.sum())
    return f",\nwhich would have {gone:.0f} % of the weight"

"""What W_Q and W_K are for: without them a word would mostly look at itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from heedful.see.pictures.fonts import BASE, fonts_for, printable
from heedful.see.pictures.panels import word_map
from heedful.see.pictures.style import GRID, INK, QUIET, colour
from heedful.see.recording.attention import Attention, Floats
from heedful.see.recording.walk import softmax

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Unprojected:
    """Self-attention without its projections: softmax(x xᵀ / √d) for the vectors x that come in."""

    attention: Attention
    weights: Floats
    """(positions, positions)."""

    @classmethod
    def of(cls, attention: Attention, inputs: Floats) -> Unprojected:
        """inputs (positions, d_model). Where the attention may not look, this does not either."""
        scores = inputs @ inputs.T / np.float32(np.sqrt(inputs.shape[1]))
        if attention.working is not None:
            scores = np.where(attention.working.mask, scores, -np.inf)
        return cls(attention, softmax(scores))


def draw_projections(found: Unprojected) -> Figure:
    """Both maps, and how much each word looks at itself in each."""
    from matplotlib.figure import Figure

    attention = found.attention
    words, projected = attention.queries, attention.weights.mean(0)
    figure = Figure(figsize=(13, 1.6 + 0.24 * len(words)), layout="constrained")
    without, with_them, bars = figure.subplots(1, 3, width_ratios=[1, 1, 0.8])
    most = {"cmap": "Blues", "vmin": 0, "vmax": 1}
    word_map(
        without, found.weights, words, words, "without W_Q and W_K: softmax(x xᵀ / √d)", **most
    )
    word_map(with_them, projected, words, words, f"{attention.name}, mean of its heads", **most)
    y = np.arange(len(words))
    for n, (weights, name) in enumerate(((found.weights, "without"), (projected, "with"))):
        own = weights.diagonal()
        told = f"{name}: {100 * float(own.mean()):.0f} % on average"
        bars.barh(y + (n - 0.5) * 0.38, own, height=0.36, color=colour(n), label=told)
    bars.set_yticks(y, labels=[printable(word) for word in words], fontsize=9, color=INK,
                    fontfamily=fonts_for("".join(words)), parse_math=False)  # fmt: skip
    bars.invert_yaxis()
    bars.set_xlim(0, 1)
    bars.spines[["top", "right"]].set_visible(False)
    bars.spines[["left", "bottom"]].set_color(GRID)
    bars.tick_params(length=0, labelsize=8, labelcolor=QUIET)
    bars.set_xlabel("weight on itself", color=INK, fontfamily=BASE)
    bars.legend(frameon=False, labelcolor="linecolor", prop={"family": BASE, "size": 9},
                loc="lower left", bbox_to_anchor=(0, 1))  # fmt: skip
    return figure

"""The look that all pictures share."""

from __future__ import annotations

INK = "#222222"
QUIET = "#6e6e6e"
HIGHLIGHT = "#d8d8d8"
GRID = "#e4e4e4"

# Okabe and Ito's colours, which colour-blind readers tell apart; their yellow and black, too pale
# and too strong for a line on white, give way to wine and grey. The second eight, for models with
# many heads, are as far from them and from each other as these are; the page has the same.
COLOURS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#882255", "#6B6B6B"),
    *("#500BA8", "#304504", "#14C711", "#A103B3", "#177114", "#904605", "#827A03", "#21405B"),
)


def colour(index: int) -> str:
    """The colour of the index-th head or line, from 0; they come round again after sixteen."""
    return COLOURS[index % len(COLOURS)]

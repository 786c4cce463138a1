"""The layers of Table 1 of "Attention Is All You Need", each a module (1, n, d) -> (1, n, d)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor, nn

from heedful.attention import MultiHeadAttention, Reach, attend, attend_unseen
from heedful.attention.near import attend_near
from heedful.comparison.connectivity import (
    dilated_path,
    recurrent_path,
    stacked_path,
    steps_in_a_row,
)
from heedful.layers import GatedConvolution, Recurrent

HEADS, WINDOW, WIDTH = 4, 32, 3
NEAR = Reach(WINDOW, 0)  # all look back, as in a decoder


class Bare(nn.Module):
    """Attention without projections: a vector is its own query, key and value."""

    def __init__(self, look: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.look = look

    def forward(self, x: Tensor) -> Tensor:
        """(B, n, d) -> (B, n, d)."""
        heads = x.reshape(*x.shape[:2], HEADS, -1).transpose(1, 2)
        return self.look(heads).transpose(1, 2).flatten(2)


def restricted(window: int) -> Bare:
    """Each looks at so many before it."""
    return Bare(lambda x: attend_near(x, x, x, Reach(window, 0)))


class Projected(nn.Module):
    """The attention of the models, with its projections."""

    def __init__(self, d_model: int, reach: Reach | None) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(d_model, HEADS, reach=reach)

    def forward(self, x: Tensor) -> Tensor:
        """(B, n, d) -> (B, n, d)."""
        looked: Tensor = self.attention(x, x)
        return looked


class Read(nn.Module):
    """One recurrent layer."""

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.recurrent = Recurrent(
            "rnn", d_input=d_model, d_hidden=d_model, n_layers=1, dropout=0.0
        )

    def forward(self, x: Tensor) -> Tensor:
        """(B, n, d) -> (B, n, d)."""
        states: Tensor = self.recurrent(x)[0]
        return states


@dataclass(frozen=True)
class Layer:
    """One row of the table: what it is, and what the paper says of it."""

    name: str
    make: Callable[[int], nn.Module]
    """By d."""
    complexity: str
    sequential: str
    path: str
    find_path: Callable[[nn.Module, int, int], int] = stacked_path
    """From (layer, n, d) to the fewest sequential steps from the first input to the last output."""
    find_dilated: Callable[[nn.Module, int, int], int] | None = None
    """The same where each layer reaches further than the one below."""
    find_steps: Callable[[nn.Module, int, int], int] | None = None
    """The same to the steps that must be taken in a row; None for a layer that takes none, but has
    all its outputs at once."""


LAYERS = (
    Layer(
        "self-attention, weights kept",
        lambda d: Bare(lambda x: attend(x, x, x)[0]),
        *("n²·d", "1", "1"),
    ),
    Layer("self-attention", lambda d: Bare(lambda x: attend_unseen(x, x, x)), "n²·d", "1", "1"),
    Layer(
        "self-attention with projections",
        lambda d: Projected(d, None),
        *("n²·d + n·d²", "1", "1"),
    ),
    Layer(
        f"restricted, r = {WINDOW}",
        lambda d: restricted(WINDOW),
        *("r·n·d", "1", "n / r"),
    ),
    Layer(
        f"restricted, r = {WINDOW}, with projections",
        lambda d: Projected(d, NEAR),
        *("r·n·d + n·d²", "1", "n / r"),
    ),
    Layer("recurrent", Read, "n·d²", "n", "n", find_path=recurrent_path, find_steps=steps_in_a_row),
    Layer(
        f"convolutional, k = {WIDTH}",
        lambda d: GatedConvolution(d_model=d, width=WIDTH, dropout=0.0, causal=True),
        *("k·n·d²", "1", "n / k, dilated log_k n"),
        find_dilated=dilated_path,
    ),
)

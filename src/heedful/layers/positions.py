"""Where a word stands: sinusoids as in section 3.5 of the paper, or learned vectors."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def sinusoids(length: int, d_model: int) -> Tensor:
    """PE(pos, 2i) = sin(pos / 10000^(2i / d_model)), PE(pos, 2i + 1) = cos of the same angle.

    -> (length, d_model)
    """
    position = torch.arange(length, dtype=torch.float64)[:, None]
    frequency = 10_000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    angle = position * frequency  # (length, ceil(d_model / 2))
    both = torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)
    return both[:, :d_model].float()


class SinusoidalPositions(nn.Module):
    """Has no weights and no end: the table grows when a longer sentence comes."""

    table: Tensor

    def __init__(self, *, d_model: int, length: int = 512) -> None:
        super().__init__()
        self.register_buffer("table", sinusoids(length, d_model), persistent=False)

    def forward(self, start: int, end: int) -> Tensor:
        """The positions [start, end) -> (end - start, d_model)."""
        table = self.table
        if end > len(table):  # another thread may be here too: each returns what it has made
            table = sinusoids(max(end, 2 * len(table)), table.shape[1]).to(table)
            self.table = table
        return table[start:end]


class LearnedPositions(nn.Module):
    """One trained vector a position; there is none beyond `length`."""

    def __init__(self, *, d_model: int, length: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.empty(length, d_model))
        nn.init.normal_(self.table, std=d_model**-0.5)

    def forward(self, start: int, end: int) -> Tensor:
        """The positions [start, end) -> (end - start, d_model)."""
        if end > len(self.table):
            raise ValueError(
                f"position {end - 1} asked for, but only {len(self.table)} are learned"
            )
        return self.table[start:end]

"""Recurrent layers: over whole sequences by torch's fused kernels, or one step at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from heedful.layers.dropout import Dropout

CELLS: dict[str, Callable[..., nn.RNNBase]] = {"rnn": nn.RNN, "lstm": nn.LSTM, "gru": nn.GRU}
WEIGHTS = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
"""Torch's names for those of a layer that reads forwards: W, U, and the bias of each."""


class Recurrent(nn.Module):
    """Layers of cells, each of which reads the states of the one below:

        rnn    h_t = tanh(W x_t + U h_{t-1} + b)
        lstm   h_t, c_t by Hochreiter and Schmidhuber's gates
        gru    h_t by Cho's, in torch's form: tanh(W x_t + r ∘ (U h_{t-1})) for U (r ∘ h_{t-1})

    A state is one tensor (..., n_layers, parts, d): the part h, and for an LSTM the part c.
    """

    def __init__(
        self,
        cell: str,
        *,
        d_input: int,
        d_hidden: int,
        n_layers: int,
        dropout: float,
        bidirectional: bool = False,
    ) -> None:
        super().__init__()
        self.cell, self.parts = cell, 2 if cell == "lstm" else 1
        width = d_hidden * (2 if bidirectional else 1)
        self.layers = nn.ModuleList(
            CELLS[cell](
                width if n else d_input, d_hidden, batch_first=True, bidirectional=bidirectional
            )
            for n in range(n_layers)
        )
        if cell == "lstm":
            self._remember_at_first(d_hidden)
        self.dropout = Dropout(dropout)

    def _remember_at_first(self, d_hidden: int) -> None:
        """Forget gates begin open, or nothing would last long enough to be learnt from (Gers 2000,
        Jozefowicz 2015)."""
        for name, weight in self.named_parameters():
            if ".bias_ih" in name:
                weight.detach()[d_hidden : 2 * d_hidden] = 1.0

    def forward(
        self, x: Tensor, first: Tensor | None = None, lengths: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """x (B, T, d_input), of which `lengths` (B,) are no padding; begins with the state `first`,
        zeros unless given -> the top layer's h (B, T, d), last state (B, n_layers, parts, d). With
        two directions it is 2 d in place of d: their states are concatenated."""
        last = []
        for n, layer in enumerate(self.layers):
            x = self.dropout(x) if n else x
            x, state = self._whole(layer, x, None if first is None else first[:, n], lengths)
            last.append(state)
        return x, torch.stack(last, dim=1)

    def _whole(
        self, layer: nn.Module, x: Tensor, first: Tensor | None, lengths: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        begin = None
        if first is not None:
            parts = [part[None].contiguous() for part in first.unbind(1)]
            begin = tuple(parts) if self.cell == "lstm" else parts[0]
        if lengths is None:
            x, last = layer(x, begin)
        else:
            # The second direction must begin at each sentence's own end.
            packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)
            read, last = layer(packed, begin)
            x, _ = pad_packed_sequence(read, batch_first=True, total_length=x.shape[1])
        parts = [last] if isinstance(last, Tensor) else list(last)  # each (directions, B, d)
        return x, torch.stack([part.transpose(0, 1).flatten(1) for part in parts], dim=1)

    def step(self, x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """x (R, d_input), state (R, n_layers, parts, d) -> the top layer's h (R, d), the state
        after it. For one direction."""
        after = []
        for n, layer in enumerate(self.layers):
            x = self.dropout(x) if n else x
            parts = self._advance(cast(nn.RNNBase, layer), x, state[:, n])
            x = parts[0]
            after.append(torch.stack(parts, dim=1))
        return x, torch.stack(after, dim=1)

    def _advance(self, layer: nn.RNNBase, x: Tensor, past: Tensor) -> tuple[Tensor, ...]:
        w, u, b_w, b_u = (cast(Tensor, getattr(layer, name)) for name in WEIGHTS)
        h = past[:, 0]
        match self.cell:
            case "lstm":
                return torch.lstm_cell(x, (h, past[:, 1]), w, u, b_w, b_u)
            case "gru":
                return (torch.gru_cell(x, h, w, u, b_w, b_u),)
            case _:
                return (torch.rnn_tanh_cell(x, h, w, u, b_w, b_u),)

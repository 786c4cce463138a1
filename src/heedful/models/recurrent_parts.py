"""What the recurrent models share: how a source is read, how the decoder begins and goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor, nn

from heedful.layers import Dropout, Recurrent, stack
from heedful.models.config.recurrent import RecurrentConfig

StateT = TypeVar("StateT")


@dataclass(frozen=True)
class Reading:
    """A state for each word of the source, and the last of every layer."""

    states: Tensor  # (B, S, d_enc)
    last: Tensor  # (B, n_layers, parts, d_enc)
    mask: Tensor  # (B, S)


class RecurrentEncoder(nn.Module):
    """Reads a source in one direction or both."""

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        self.dropout = Dropout(config.dropout)
        self.recurrent = Recurrent(
            config.cell,
            d_input=config.d_model,
            d_hidden=config.d_model,
            n_layers=config.n_layers,
            dropout=config.dropout,
            bidirectional=config.bidirectional,
        )

    def read(self, embedded: Tensor, mask: Tensor) -> Reading:
        """(B, S, d_model), mask (B, S)."""
        states, last = self.recurrent(self.dropout(embedded), lengths=mask.sum(1))
        return Reading(states, last, mask)


class Bridge(nn.Module):
    """The encoder's last state -> the decoder's first, layer by layer: as it is if that has one
    direction, else through tanh(W h + b), and W c + b for an LSTM's c, which has no bounds. All
    layers share a W."""

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        parts = (2 if config.cell == "lstm" else 1) if config.bidirectional else 0
        self.narrow = stack(nn.Linear(config.encoder_width, config.d_model) for _ in range(parts))

    def forward(self, last: Tensor) -> Tensor:
        """(B, n_layers, parts, d_enc) -> (B, n_layers, parts, d_model)."""
        if not self.narrow:
            return last
        parts = [narrow(last[:, :, i]) for i, narrow in enumerate(self.narrow)]
        return torch.stack([parts[0].tanh(), *parts[1:]], dim=2)


def make_decoder(config: RecurrentConfig, *, d_extra: int) -> Recurrent:
    """Reads the word before, and `d_extra` elements more."""
    return Recurrent(
        config.cell,
        d_input=config.d_model + d_extra,
        d_hidden=config.d_model,
        n_layers=config.n_layers,
        dropout=config.dropout,
    )


def unrolled(
    advance: Callable[[Tensor, StateT], tuple[*tuple[Tensor, ...], StateT]],
    words: Tensor,
    state: StateT,
) -> tuple[Tensor, ...]:
    """Step by step, where each needs the outcome of the one before: `advance` takes a word of each
    sentence (B, 1, d_model) and the state -> what comes of it (B, 1, .), …, and the state after it.

    words (B, T, d_model) -> what came of them (B, T, .), …
    """
    seen = []
    for word in words.unbind(1):
        *outcome, state = advance(word[:, None], state)
        seen.append(outcome)
    return tuple(torch.cat(parts, dim=1) for parts in zip(*seen, strict=True))

"""The encoder-decoder of 2014: one vector, or one state, is all that crosses.

"first": Sutskever, Vinyals and Le. "every": Cho et al.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from heedful.layers import Dropout, Maxout
from heedful.models.config import RnnConfig
from heedful.models.recurrent_parts import Bridge, RecurrentEncoder, make_decoder
from heedful.models.seq2seq import Record, Seq2Seq, chosen, shared
from heedful.models.tables import Sizes, for_output, make_tables


@dataclass(frozen=True)
class RnnMemory:
    """The source as one state."""

    first: Tensor  # (B, n_layers, parts, d_model): what the decoder begins with
    context: Tensor  # (B, d_enc): the top layer's last h
    mask: Tensor  # (B, S)


@dataclass(frozen=True)
class RnnState:
    """What the decoder carries from step to step."""

    hidden: Tensor  # (N, k, n_layers, parts, d_model)
    context: Tensor  # (N, d_enc)

    def select(self, parents: Tensor, sentences: Tensor | None = None) -> RnnState:
        """See State.select."""
        return RnnState(chosen(self.hidden, parents, sentences), shared(self.context, sentences))


class Rnn(Seq2Seq[RnnMemory, RnnState]):
    """h_t = cell(h_{t-1}, y_{t-1}), or with the context c: h_t = cell(h_{t-1}, [y_{t-1}; c]) and an
    output layer that sees h_t, y_{t-1} and c."""

    def __init__(self, config: RnnConfig, sizes: Sizes) -> None:
        super().__init__()
        self.embed_source, self.embed_target, output = make_tables(config, sizes)
        self.dropout = Dropout(config.dropout)
        self.encoder, self.bridge = RecurrentEncoder(config), Bridge(config)
        at_every_step = config.context == "every"
        d_extra = config.encoder_width if at_every_step else 0
        self.decoder = make_decoder(config, d_extra=d_extra)
        self.readout = (
            Maxout(2 * config.d_model + d_extra, config.d_model) if at_every_step else None
        )
        self.output = output

    def encode(self, source: Tensor, mask: Tensor, record: Record | None = None) -> RnnMemory:
        read = self.encoder.read(self.embed_source(source), mask)
        return RnnMemory(self.bridge(read.last), read.last[:, -1, 0], mask)

    def decode(self, target: Tensor, memory: RnnMemory, record: Record | None = None) -> Tensor:
        words = self.dropout(self.embed_target(target))  # (B, T, d_model)
        h, _ = self.decoder(self._beside(words, memory.context), memory.first)
        return self._read_out(h, words, memory.context)

    def start(self, memory: RnnMemory) -> RnnState:
        return RnnState(memory.first[:, None], memory.context)

    def step(self, tokens: Tensor, state: RnnState) -> tuple[Tensor, RnnState]:
        words = self.dropout(self.embed_target(tokens))  # (N, k, d_model)
        x = self._beside(words, state.context)
        h, hidden = self.decoder.step(x.flatten(0, 1), state.hidden.flatten(0, 1))
        h, hidden = (part.reshape(*tokens.shape, *part.shape[1:]) for part in (h, hidden))
        return self._read_out(h, words, state.context), RnnState(hidden, state.context)

    def _beside(self, words: Tensor, context: Tensor) -> Tensor:
        """The words (B, L, d_model), each with the context (B, d_enc) if that enters every step."""
        if self.readout is None:
            return words
        return torch.cat((words, context[:, None].expand(-1, words.shape[1], -1)), dim=-1)

    def _read_out(self, h: Tensor, words: Tensor, context: Tensor) -> Tensor:
        h = self.dropout(h)
        if self.readout is None:
            return for_output(h)
        hidden: Tensor = self.readout(torch.cat((h, self._beside(words, context)), dim=-1))
        return hidden

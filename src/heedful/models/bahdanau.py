"""Attention as it began: "Neural Machine Translation by Jointly Learning to Align and Translate",
Bahdanau, Cho and Bengio 2015."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from heedful.attention import Look, attend, make_score
from heedful.layers import Dropout, Maxout
from heedful.models.config import BahdanauConfig
from heedful.models.recurrent_parts import (
    Bridge,
    Reading,
    RecurrentEncoder,
    make_decoder,
    unrolled,
)
from heedful.models.seq2seq import Record, Seq2Seq, chosen, shared
from heedful.models.tables import Sizes, make_tables


@dataclass(frozen=True)
class BahdanauState:
    """What the decoder carries from step to step."""

    hidden: Tensor  # (N, k, n_layers, parts, d_model)
    keys: Tensor  # (N, S, d_model): U h_j of every source word
    states: Tensor  # (N, S, d_enc): h_j
    mask: Tensor  # (N, 1, S)

    def select(self, parents: Tensor, sentences: Tensor | None = None) -> BahdanauState:
        """See State.select."""
        return BahdanauState(
            chosen(self.hidden, parents, sentences),
            *(shared(part, sentences) for part in (self.keys, self.states, self.mask)),
        )


class Bahdanau(Seq2Seq[Reading, BahdanauState]):
    """e_ij = vᵀ tanh(W s_{i-1} + U h_j),  c_i = Σ_j softmax(e_i)_j h_j,
    s_i = cell(s_{i-1}, [y_{i-1}; c_i]),  and the output layer sees s_i, y_{i-1} and c_i."""

    def __init__(self, config: BahdanauConfig, sizes: Sizes) -> None:
        super().__init__()
        self.embed_source, self.embed_target, output = make_tables(config, sizes)
        self.dropout = Dropout(config.dropout)
        self.encoder, self.bridge = RecurrentEncoder(config), Bridge(config)
        width = config.encoder_width
        self.score = make_score("additive", d_query=config.d_model, d_key=width)
        self.decoder = make_decoder(config, d_extra=width)
        self.readout = Maxout(2 * config.d_model + width, config.d_model)
        self.output = output

    def encode(self, source: Tensor, mask: Tensor, record: Record | None = None) -> Reading:
        return self.encoder.read(self.embed_source(source), mask)

    def decode(self, target: Tensor, memory: Reading, record: Record | None = None) -> Tensor:
        words = self.dropout(self.embed_target(target))  # (B, T, d_model)
        state = self.start(memory)
        h, context, weights = unrolled(self._advance, words, state)
        hidden = self._read_out(h, words, context)
        if record is not None:
            asked = torch.cat((state.hidden[:, :, -1, 0], h[:, :-1]), dim=1)  # s_{i-1}
            scores = self.score(asked, state.keys)
            seen = (asked, state.keys, state.states, scores, state.mask, weights, hidden)
            look = Look.of_one_head(
                *seen,
                score=self.score.formula,
                made_by="maxout layer",
                joined=torch.cat((h, words, context), dim=-1),
            )
            record("cross", 1, look)
        return hidden

    def start(self, memory: Reading) -> BahdanauState:
        return BahdanauState(
            hidden=self.bridge(memory.last)[:, None],
            keys=self.score.keys(memory.states),
            states=memory.states,
            mask=memory.mask[:, None],
        )

    def step(self, tokens: Tensor, state: BahdanauState) -> tuple[Tensor, BahdanauState]:
        words = self.dropout(self.embed_target(tokens))  # (N, k, d_model)
        h, context, _, state = self._advance(words, state)
        return self._read_out(h, words, context), state

    def _advance(
        self, words: Tensor, state: BahdanauState
    ) -> tuple[Tensor, Tensor, Tensor, BahdanauState]:
        """The words before (N, k, d_model) -> s_i (N, k, d_model), c_i (N, k, d_enc), the weights
        (N, k, S), and the state after it."""
        n_and_k = words.shape[:2]
        previous = state.hidden[:, :, -1, 0]  # s_{i-1}: h of the top layer
        context, weights = attend(previous, state.keys, state.states, state.mask, self.score)
        x = torch.cat((words, context), dim=-1)
        h, hidden = self.decoder.step(x.flatten(0, 1), state.hidden.flatten(0, 1))
        h, hidden = (part.reshape(*n_and_k, *part.shape[1:]) for part in (h, hidden))
        return h, context, weights, replace(state, hidden=hidden)

    def _read_out(self, h: Tensor, words: Tensor, context: Tensor) -> Tensor:
        # Of the words some elements have been dropped before, on their way to the cell.
        seen = (self.dropout(h), words, self.dropout(context))
        hidden: Tensor = self.readout(torch.cat(seen, dim=-1))
        return hidden

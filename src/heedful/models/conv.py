"""Convolutions instead of recurrence: "Convolutional Sequence to Sequence Learning", Gehring, Auli,
Grangier, Yarats and Dauphin 2017."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn

from heedful.attention import Look, Recorder, attend
from heedful.attention.scores import dot
from heedful.layers import (
    ROOT_HALF,
    Dropout,
    GatedConvolution,
    LearnedPositions,
    NormalisedLinear,
    stack,
    with_gradient_scaled,
)
from heedful.models.config import ConvConfig
from heedful.models.seq2seq import Record, Seq2Seq, chosen, shared
from heedful.models.tables import Sizes, for_output, make_tables


@dataclass(frozen=True)
class ConvMemory:
    """The encoder's outcome z, by which a word is found, and what is found there: z + e, with the
    embedding e of the word itself."""

    keys: Tensor  # (B, S, d_model)
    values: Tensor  # (B, S, d_model)
    mask: Tensor  # (B, S)


@dataclass(frozen=True)
class ConvState:
    """What the decoder carries from step to step: of what was written, just as much as each layer's
    next window holds."""

    position: int
    past: Tensor  # (N, k, n_layers, d_model, width - 1)
    keys: Tensor  # (N, S, d_model)
    values: Tensor  # (N, S, d_model)
    mask: Tensor  # (N, S)

    def select(self, parents: Tensor, sentences: Tensor | None = None) -> ConvState:
        """See State.select."""
        return ConvState(
            self.position,
            chosen(self.past, parents, sentences),
            *(shared(part, sentences) for part in (self.keys, self.values, self.mask)),
        )


class EncoderLayer(nn.Module):
    """(x + GLU(conv(x))) √½."""

    def __init__(self, config: ConvConfig) -> None:
        super().__init__()
        self.dropout = Dropout(config.dropout)
        self.convolution = GatedConvolution(
            d_model=config.d_model, width=config.width, dropout=config.dropout, causal=False
        )

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """x (B, S, d_model), mask (B, S). Padding is nought before each convolution, as what lies
        beyond the sentence's ends is."""
        seen = self.dropout(x).masked_fill(~mask[..., None], 0)
        summed: Tensor = (x + self.convolution(seen)) * ROOT_HALF
        return summed


class DecoderLayer(nn.Module):
    """A convolution over what was written, then attention over the source:

        h = GLU(conv(x)),  d = W h + b + g,  c = Σ_j softmax(d · z)_j (z_j + e_j),  h + c + x

    where g is the embedding of the word before. Each sum of two is scaled by √½.
    """

    def __init__(self, config: ConvConfig) -> None:
        super().__init__()
        d_model = config.d_model
        self.dropout = Dropout(config.dropout)
        self.convolution = GatedConvolution(
            d_model=d_model, width=config.width, dropout=config.dropout, causal=True
        )
        self.to_query = NormalisedLinear(d_model, d_model, spread=d_model**-0.5)
        self.from_context = NormalisedLinear(d_model, d_model, spread=d_model**-0.5)

    def forward(
        self, x: Tensor, words: Tensor, memory: ConvMemory, record: Recorder | None = None
    ) -> Tensor:
        """x and the embedded words (B, T, d_model) -> (B, T, d_model)."""
        h = self.convolution(self.dropout(x))
        return self._look(h, x, words, memory, record)

    def step(
        self, x: Tensor, words: Tensor, past: Tensor, memory: ConvMemory
    ) -> tuple[Tensor, Tensor]:
        """x and words (N, k, d_model), the newest alone, past (N, k, d_model, width - 1)
        -> (N, k, d_model), and the past of the step after it."""
        window = torch.cat((past, x[..., None]), dim=-1)
        h = self.convolution.seen(self.dropout(window))
        return self._look(h, x, words, memory), window[..., 1:]

    def _look(
        self,
        h: Tensor,
        x: Tensor,
        words: Tensor,
        memory: ConvMemory,
        record: Recorder | None = None,
    ) -> Tensor:
        query, mask = (self.to_query(h) + words) * ROOT_HALF, memory.mask[:, None]
        found, weights = attend(query, memory.keys, memory.values, mask, dot)
        # A mean of m vectors has an m-th of their variance, if all are looked at evenly.
        m = memory.mask.sum(1)[:, None, None]
        context = self.from_context(found * m.to(found.dtype).sqrt())
        if record is not None:
            scores = dot(query, memory.keys)
            seen = (query, memory.keys, memory.values, scores, mask, weights, context)
            record(Look.of_one_head(*seen, made_by="linear layer"))
        summed: Tensor = ((h + context) * ROOT_HALF + x) * ROOT_HALF
        return summed


class Conv(Seq2Seq[ConvMemory, ConvState]):
    """Encoder and decoder stacks of N layers between embeddings and output table."""

    def __init__(self, config: ConvConfig, sizes: Sizes) -> None:
        super().__init__()
        self.embed_source, self.embed_target, output = make_tables(config, sizes)
        self.source_positions = LearnedPositions(d_model=config.d_model, length=sizes.places)
        self.target_positions = LearnedPositions(d_model=config.d_model, length=sizes.places)
        self.dropout = Dropout(config.dropout)
        self.encoder = stack(EncoderLayer(config) for _ in range(config.n_layers))
        self.decoder = stack(DecoderLayer(config) for _ in range(config.n_layers))
        self.kept = config.width - 1
        self.output = output

    def encode(self, source: Tensor, mask: Tensor, record: Record | None = None) -> ConvMemory:
        embedded = self._embed(self.embed_source, self.source_positions, source, 0)
        x = embedded
        for layer in self.encoder:
            x = layer(x, mask)
        # Every attention adds to these gradients: half of the paper's scale for each of them.
        keys = with_gradient_scaled(x, by=1 / (2 * len(self.decoder)))
        return ConvMemory(keys, (keys + embedded) * ROOT_HALF, mask)

    def decode(self, target: Tensor, memory: ConvMemory, record: Record | None = None) -> Tensor:
        words = self._embed(self.embed_target, self.target_positions, target, 0)
        x = words
        for n, layer in enumerate(self.decoder, start=1):
            x = layer(x, words, memory, None if record is None else partial(record, "cross", n))
        return for_output(self.dropout(x))

    def start(self, memory: ConvMemory) -> ConvState:
        n, _, d_model = memory.keys.shape
        nothing = memory.keys.new_zeros(n, 1, len(self.decoder), d_model, self.kept)
        return ConvState(0, nothing, memory.keys, memory.values, memory.mask)

    def step(self, tokens: Tensor, state: ConvState) -> tuple[Tensor, ConvState]:
        memory = ConvMemory(state.keys, state.values, state.mask)
        here = state.position
        words = self._embed(self.embed_target, self.target_positions, tokens[..., None], here)
        words = words[:, :, 0]  # (N, k, d_model)
        x, after = words, []
        for n, layer in enumerate(self.decoder):
            x, past = layer.step(x, words, state.past[:, :, n], memory)
            after.append(past)
        return for_output(self.dropout(x)), ConvState(
            here + 1, torch.stack(after, dim=2), state.keys, state.values, state.mask
        )

    def _embed(self, embedding: nn.Module, positions: nn.Module, ids: Tensor, start: int) -> Tensor:
        """(..., L) ids at the positions start, start + 1, … -> (..., L, d_model).

        Words are as small as positions, not √d_model times as large: attention by plain dot
        products must begin evenly, and convolutions have no other sign of where a word stands.
        """
        words = embedding(ids)
        words = words / math.sqrt(words.shape[-1])
        embedded: Tensor = self.dropout(words + positions(start, start + ids.shape[-1]))
        return embedded

"""The Transformer, as "Attention Is All You Need" defines it (its figure 1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import torch
from torch import Tensor, nn

from heedful.attention import MultiHeadAttention, Reach, Recorder, make_score, score_bias
from heedful.layers import (
    Dropout,
    FeedForward,
    LearnedPositions,
    Residual,
    SinusoidalPositions,
    stack,
)
from heedful.models.config import TransformerConfig
from heedful.models.growing import Growing
from heedful.models.seq2seq import Record, Seq2Seq, chosen, shared
from heedful.models.tables import Sizes, make_tables


@dataclass(frozen=True)
class TransformerMemory:
    """A vector for each word of the source."""

    states: Tensor  # (B, S, d_model)
    mask: Tensor  # (B, S)


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward, each in its residual frame."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_attention = _attention(config, _reach(config, ahead=True))
        self.feed_forward = _feed_forward(config)
        self.frames = _frames(config, 2)

    def forward(self, x: Tensor, mask: Tensor, record: Recorder | None) -> Tensor:
        """x (B, S, d_model), mask (B, 1, 1, S)."""
        x = self.frames[0](x, lambda x: self.self_attention(x, x, mask, record))
        framed: Tensor = self.frames[1](x, self.feed_forward)
        return framed


class DecoderLayer(nn.Module):
    """Self-attention over what was written, attention over the source, feed-forward."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_attention = _attention(config, _reach(config, ahead=False))
        self.cross_attention = _attention(config)
        self.feed_forward = _feed_forward(config)
        self.frames = _frames(config, 3)

    def forward(
        self,
        x: Tensor,
        memory: TransformerMemory,
        record_self: Recorder | None,
        record_cross: Recorder | None,
    ) -> Tensor:
        """x (B, T, d_model)."""
        source, source_mask = memory.states, memory.mask[:, None, None]
        x = self.frames[0](x, lambda x: self.self_attention(x, x, record=record_self, causal=True))
        x = self.frames[1](x, lambda x: self.cross_attention(x, source, source_mask, record_cross))
        framed: Tensor = self.frames[2](x, self.feed_forward)
        return framed

    def start(self, memory: TransformerMemory) -> LayerState:
        """The keys and values of the source; of the target there are none yet."""
        keys, values = self.cross_attention.keys_and_values(memory.states)
        own = self.self_attention
        nothing = partial(Growing.from_nothing, len(keys), own.n_heads, like=keys)
        return LayerState(
            nothing(own.d_k), nothing(own.d_v), keys.contiguous(), values.contiguous()
        )

    def step(
        self, x: Tensor, past: LayerState, own_bias: Tensor, source_bias: Tensor
    ) -> tuple[Tensor, LayerState]:
        """x (N, k, d_model), the newest positions alone; see TransformerState for the rest."""
        present = past

        def look_back(x: Tensor) -> Tensor:
            nonlocal present
            query, key, value = self.self_attention.project_all(x)
            present = past.extended(key, value)
            return self.self_attention.look(
                query, present.keys.get(), present.values.get(), mask=own_bias
            )

        def look_at_source(x: Tensor) -> Tensor:
            query = self.cross_attention.queries(x)
            return self.cross_attention.look(
                query, past.source_keys, past.source_values, mask=source_bias
            )

        x = self.frames[0](x, look_back)
        x = self.frames[1](x, look_at_source)
        x = self.frames[2](x, self.feed_forward)
        return x, present


@dataclass(frozen=True)
class LayerState:
    """One decoder layer's keys and values: of all that was written in a sentence, by whichever of
    its hypotheses, and of its source."""

    keys: Growing  # (N, H, W, d_k)
    values: Growing  # (N, H, W, d_v)
    source_keys: Tensor  # (N, H, S, d_k)
    source_values: Tensor  # (N, H, S, d_v)

    def extended(self, key: Tensor, value: Tensor) -> LayerState:
        """With one more position of each hypothesis."""
        return replace(self, keys=self.keys.extended(key), values=self.values.extended(value))

    def without(self, n: int) -> LayerState:
        """The same without the first n positions that were written."""
        return replace(self, keys=self.keys.without(n), values=self.values.without(n))

    def select(self, sentences: Tensor) -> LayerState:
        """These sentences, with all that was written in them."""
        return LayerState(
            self.keys.select(sentences),
            self.values.select(sentences),
            self.source_keys.index_select(0, sentences),
            self.source_values.index_select(0, sentences),
        )


@dataclass(frozen=True)
class TransformerState:
    """What the decoder carries from step to step.

    The k hypotheses of a sentence share what was written: k positions more at each step. Which of
    them are a hypothesis's own past is told by a mask, so that choosing among hypotheses moves no
    keys and values.
    """

    position: int
    layers: tuple[LayerState, ...]
    own: Tensor  # (N, k, W), True = of this hypothesis's past
    steps: tuple[int, ...]  # how many of the W positions each step has written
    source_bias: Tensor  # (N, H, 1, S), see score_bias

    def select(self, parents: Tensor, sentences: Tensor | None = None) -> TransformerState:
        """See State.select."""
        layers = self.layers
        if sentences is not None:
            layers = tuple(layer.select(sentences) for layer in layers)
        own = chosen(self.own, parents, sentences)
        return replace(
            self, layers=layers, own=own, source_bias=shared(self.source_bias, sentences)
        )


class Transformer(Seq2Seq[TransformerMemory, TransformerState]):
    """Encoder and decoder stacks of N layers between embeddings and output table."""

    def __init__(self, config: TransformerConfig, sizes: Sizes) -> None:
        super().__init__()
        self.n_heads = config.n_heads
        self.window = config.window if config.attention == "restricted" else None
        self.embed_source, self.embed_target, output = make_tables(config, sizes)
        self.source_positions = _positions(config, sizes)
        self.target_positions = _positions(config, sizes)
        self.dropout = Dropout(config.dropout)
        self.encoder = stack(EncoderLayer(config) for _ in range(config.n_layers))
        self.decoder = stack(DecoderLayer(config) for _ in range(config.n_layers))
        # After pre-norm layers the sum has not been normalised; after the paper's it has.
        self.encoder_norm = nn.LayerNorm(config.d_model) if config.pre_norm else nn.Identity()
        self.decoder_norm = nn.LayerNorm(config.d_model) if config.pre_norm else nn.Identity()
        self.output = output

    def encode(
        self, source: Tensor, mask: Tensor, record: Record | None = None
    ) -> TransformerMemory:
        x = self._embed(self.embed_source, self.source_positions, source)
        for n, layer in enumerate(self.encoder, start=1):
            x = layer(x, mask[:, None, None], _recorder(record, "encoder", n))
        return TransformerMemory(states=self.encoder_norm(x), mask=mask)

    def decode(
        self, target: Tensor, memory: TransformerMemory, record: Record | None = None
    ) -> Tensor:
        x = self._embed(self.embed_target, self.target_positions, target)
        for n, layer in enumerate(self.decoder, start=1):
            recorders = _recorder(record, "decoder", n), _recorder(record, "cross", n)
            x = layer(x, memory, *recorders)
        normed: Tensor = self.decoder_norm(x)
        return normed

    def start(self, memory: TransformerMemory) -> TransformerState:
        layers = tuple(layer.start(memory) for layer in self.decoder)
        nothing = memory.mask.new_empty(len(memory.mask), 1, 0)
        source_bias = score_bias(memory.mask[:, None, None], self.n_heads, memory.states.dtype)
        return TransformerState(0, layers, nothing, (), source_bias)

    def step(self, tokens: Tensor, state: TransformerState) -> tuple[Tensor, TransformerState]:
        n, k = tokens.shape
        here = state.position
        x = self._embed(self.embed_target, self.target_positions, tokens[..., None], start=here)
        x = x[:, :, 0]  # (N, k, d_model)
        newest = torch.eye(k, dtype=torch.bool, device=tokens.device).expand(n, k, k)
        own, steps, forgotten = torch.cat((state.own, newest), dim=-1), (*state.steps, k), 0
        if self.window is not None and here > self.window:  # too far back to be looked at again
            forgotten, steps = steps[0], steps[1:]
            own = own[:, :, forgotten:]
        own_bias = score_bias(own[:, None], self.n_heads, x.dtype)
        layers = []
        for layer, past in zip(self.decoder, state.layers, strict=True):
            x, present = layer.step(x, past.without(forgotten), own_bias, state.source_bias)
            layers.append(present)
        hidden: Tensor = self.decoder_norm(x)
        return hidden, TransformerState(here + 1, tuple(layers), own, steps, state.source_bias)

    def _embed(
        self, embedding: nn.Module, positions: nn.Module, ids: Tensor, start: int = 0
    ) -> Tensor:
        """(..., L) ids at the positions start, start + 1, … -> (..., L, d_model)."""
        embedded: Tensor = self.dropout(embedding(ids) + positions(start, start + ids.shape[-1]))
        return embedded


def _attention(config: TransformerConfig, reach: Reach | None = None) -> MultiHeadAttention:
    d_k = config.head_key_width
    return MultiHeadAttention(
        config.d_model,
        config.n_heads,
        d_k=config.d_k,
        d_v=config.d_v,
        score=make_score(config.score, d_query=d_k, d_key=d_k),
        reach=reach,
    )


def _feed_forward(config: TransformerConfig) -> FeedForward:
    return FeedForward(d_model=config.d_model, d_ff=config.d_ff, activation=config.activation)


def _reach(config: TransformerConfig, *, ahead: bool) -> Reach | None:
    """The r neighbours: half of them ahead, or all of them before."""
    if config.attention == "full":
        return None
    after = config.window // 2 if ahead else 0
    return Reach(config.window - after, after)


def _frames(config: TransformerConfig, n: int) -> nn.ModuleList:
    frame = partial(
        Residual, d_model=config.d_model, dropout=config.dropout, pre_norm=config.pre_norm
    )
    return nn.ModuleList(frame() for _ in range(n))


def _positions(config: TransformerConfig, sizes: Sizes) -> nn.Module:
    if config.positions == "sinusoidal":
        return SinusoidalPositions(d_model=config.d_model)
    return LearnedPositions(d_model=config.d_model, length=sizes.places)


def _recorder(record: Record | None, kind: str, layer: int) -> Recorder | None:
    return None if record is None else partial(record, kind, layer)

"""Attention with the decoder's current state: "Effective Approaches to Attention-based Neural
Machine Translation", Luong, Pham and Manning 2015."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from heedful.attention import Look, make_score, weigh
from heedful.layers import Dropout
from heedful.models.config import LuongConfig
from heedful.models.recurrent_parts import (
    Bridge,
    Reading,
    RecurrentEncoder,
    make_decoder,
    unrolled,
)
from heedful.models.seq2seq import Record, Seq2Seq, chosen, shared
from heedful.models.tables import Sizes, for_output, make_tables


@dataclass(frozen=True)
class LuongState:
    """What the decoder carries from step to step."""

    position: int
    hidden: Tensor  # (N, k, n_layers, parts, d_model)
    fed: Tensor  # (N, k, d_model): s̃ of the step before
    keys: Tensor  # (N, S, .): the source words as the score wants them
    states: Tensor  # (N, S, d_enc)
    mask: Tensor  # (N, 1, S)

    def select(self, parents: Tensor, sentences: Tensor | None = None) -> LuongState:
        """See State.select."""
        return LuongState(
            self.position,
            *(chosen(part, parents, sentences) for part in (self.hidden, self.fed)),
            *(shared(part, sentences) for part in (self.keys, self.states, self.mask)),
        )


class Luong(Seq2Seq[Reading, LuongState]):
    """s_t = cell(s_{t-1}, y_{t-1}), with input feeding cell(s_{t-1}, [y_{t-1}; s̃_{t-1}]);
    c_t = Σ_j a_t(j) h_j with the weights a_t = softmax(score(s_t, h)), in a window or everywhere;
    s̃_t = tanh(W_c [c_t; s_t]) goes to the output."""

    def __init__(self, config: LuongConfig, sizes: Sizes) -> None:
        super().__init__()
        d_model, width = config.d_model, config.encoder_width
        self.embed_source, self.embed_target, output = make_tables(config, sizes)
        self.dropout = Dropout(config.dropout)
        self.encoder, self.bridge = RecurrentEncoder(config), Bridge(config)
        self.input_feeding = config.input_feeding
        self.decoder = make_decoder(config, d_extra=d_model if config.input_feeding else 0)
        self.score = make_score(config.score, d_query=d_model, d_key=width, places=sizes.places)
        self.focus = _focus(config)
        self.combine = nn.Linear(width + d_model, d_model, bias=False)
        self.output = output

    def encode(self, source: Tensor, mask: Tensor, record: Record | None = None) -> Reading:
        return self.encoder.read(self.embed_source(source), mask)

    def decode(self, target: Tensor, memory: Reading, record: Record | None = None) -> Tensor:
        words = self.dropout(self.embed_target(target))  # (B, T, d_model)
        state = self.start(memory)
        if self.input_feeding:
            hidden, weights = unrolled(self._advance, words, state)
        else:
            s, _ = self.decoder(words, state.hidden[:, 0])
            hidden, weights = self._look(s, state, self._times(words))
        if record is not None:
            record("cross", 1, self._seen(words, state, weights, hidden))
        return for_output(hidden)

    def start(self, memory: Reading) -> LuongState:
        hidden = self.bridge(memory.last)[:, None]
        return LuongState(
            position=0,
            hidden=hidden,
            fed=torch.zeros_like(hidden[:, :, 0, 0]),
            keys=self.score.keys(memory.states),
            states=memory.states,
            mask=memory.mask[:, None],
        )

    def step(self, tokens: Tensor, state: LuongState) -> tuple[Tensor, LuongState]:
        hidden, _, state = self._advance(self.dropout(self.embed_target(tokens)), state)
        return for_output(hidden), state

    def _advance(self, words: Tensor, state: LuongState) -> tuple[Tensor, Tensor, LuongState]:
        """The words before (N, k, d_model) -> s̃ (N, k, d_model), the weights (N, k, S), and the
        state after it."""
        n_and_k = words.shape[:2]
        x = torch.cat((words, state.fed), dim=-1) if self.input_feeding else words
        s, after = self.decoder.step(x.flatten(0, 1), state.hidden.flatten(0, 1))
        s, after = (part.reshape(*n_and_k, *part.shape[1:]) for part in (s, after))
        now = torch.full((1,), state.position, device=words.device)
        hidden, weights = self._look(s, state, now)
        return (
            hidden,
            weights,
            replace(state, position=state.position + 1, hidden=after, fed=hidden),
        )

    def _look(self, s: Tensor, state: LuongState, times: Tensor) -> tuple[Tensor, Tensor]:
        """Decoder states (N, L, d_model) at the times (L or 1,) -> s̃ and the weights (N, L, S)."""
        mask, factor = self.focus(s, state.mask, times)
        weights = weigh(s, state.keys, mask, self.score) * factor
        hidden = self.combine(torch.cat((weights @ state.states, s), dim=-1)).tanh()
        return self.dropout(hidden), weights

    def _times(self, words: Tensor) -> Tensor:
        return torch.arange(words.shape[1], device=words.device)

    def _seen(self, words: Tensor, state: LuongState, weights: Tensor, hidden: Tensor) -> Look:
        """What is known of all s̃ leads to all s at once."""
        if self.input_feeding:
            words = torch.cat((words, torch.cat((state.fed, hidden[:, :-1]), dim=1)), dim=-1)
        s, _ = self.decoder(words, state.hidden[:, 0])
        mask, factor = self.focus(s, state.mask, self._times(s))
        return Look.of_one_head(
            s,
            state.keys,
            state.states,
            self.score(s, state.keys),
            mask,
            weights,
            hidden,
            divisor=self.score.divisor(s.shape[-1]),
            score=self.score.formula,
            made_by="tanh layer",
            joined=torch.cat((weights @ state.states, s), dim=-1),
            factor=factor[:, None] if factor.dim() else None,
        )


class Everywhere(nn.Module):
    """Global attention: all words may be looked at."""

    def forward(self, s: Tensor, mask: Tensor, times: Tensor) -> tuple[Tensor, Tensor]:
        """s (N, L, d_model), mask (N, 1, S), times (L or 1,) -> what may be looked at, that
        broadcasts to (N, L, S), and what the weights are multiplied by."""
        return mask, s.new_ones(())


class Monotonic(nn.Module):
    """local-m: at time t, the words p_t - D to p_t + D with p_t = t, or the last word after it."""

    def __init__(self, window: int) -> None:
        super().__init__()
        self.window = window

    def forward(self, s: Tensor, mask: Tensor, times: Tensor) -> tuple[Tensor, Tensor]:
        """See Everywhere."""
        last = mask.sum(-1, keepdim=True) - 1  # (N, 1, 1)
        middle = torch.minimum(times[None, :, None], last)  # (N, L, 1)
        return mask & ((_places(mask) - middle).abs() <= self.window), s.new_ones(())


class Predictive(nn.Module):
    """local-p: the middle p_t = S σ(v_pᵀ tanh(W_p s_t)) is predicted, and the weights in the window
    are multiplied by exp(-(j - p_t)² / 2σ²) with σ = D / 2."""

    def __init__(self, window: int, d_model: int) -> None:
        super().__init__()
        self.window = window
        self.w = nn.Linear(d_model, d_model, bias=False)
        self.v = nn.Linear(d_model, 1, bias=False)

    def forward(self, s: Tensor, mask: Tensor, times: Tensor) -> tuple[Tensor, Tensor]:
        """See Everywhere."""
        # S counts from 0: the last word is the furthest that can be meant.
        last = mask.sum(-1, keepdim=True) - 1  # (N, 1, 1)
        middle = last * self.v(self.w(s).tanh()).sigmoid()  # (N, L, 1)
        away = _places(mask) - middle  # (N, L, S)
        sigma = self.window / 2
        return mask & (away.abs() <= self.window), (-(away**2) / (2 * sigma**2)).exp()


def _places(mask: Tensor) -> Tensor:
    return torch.arange(mask.shape[-1], device=mask.device)


def _focus(config: LuongConfig) -> nn.Module:
    match config.attention:
        case "global":
            return Everywhere()
        case "local_m":
            return Monotonic(config.window)
        case "local_p":
            return Predictive(config.window, config.d_model)

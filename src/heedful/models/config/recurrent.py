"""The settings of the recurrent models, with and without attention. Needs no torch."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from heedful.models.config.base import ModelSettings

Cell = Literal["rnn", "lstm", "gru"]
ScoreName = Literal["dot", "scaled_dot", "cosine", "general", "concat", "additive", "location"]
SAME_WIDTH = ("dot", "scaled_dot", "cosine")


class RecurrentConfig(ModelSettings):
    """What the recurrent models share."""

    n_layers: int = Field(2, ge=1)
    cell: Cell = "lstm"
    """A plain tanh cell, an LSTM or a GRU."""
    bidirectional: bool = False
    """The encoder reads in both directions; their states are concatenated for each word, and
    bridged to the decoder's first state."""

    @property
    def encoder_width(self) -> int:
        """Of the state of a source word."""
        return self.d_model * (2 if self.bidirectional else 1)

    @property
    def summary(self) -> str:
        both_ways = ", both ways" if self.bidirectional else ""
        return (
            f"{self.n_layers}+{self.n_layers} layers of {self.cell} cells, d_model {self.d_model}"
            f"{both_ways}"
        )

    @property
    def usual_clip(self) -> float | None:
        """As all their papers do, though each by another measure."""
        return 1.0


class RnnConfig(RecurrentConfig):
    """`[model]`: encoder and decoder with one vector between them."""

    kind: Literal["rnn"] = "rnn"
    context: Literal["first", "every"] = "first"
    """Where the encoder's last state enters: it starts the decoder (Sutskever 2014), or it enters
    every step as well (Cho 2014)."""

    @property
    def attends(self) -> bool:
        """One vector is all it has."""
        return False


class BahdanauConfig(RecurrentConfig):
    """`[model]`: additive attention with the decoder's previous state."""

    kind: Literal["bahdanau"] = "bahdanau"
    n_layers: int = Field(1, ge=1)
    cell: Cell = "gru"
    bidirectional: bool = True


class LuongConfig(RecurrentConfig):
    """`[model]`: attention with the decoder's current state, by any of several scores."""

    kind: Literal["luong"] = "luong"
    score: ScoreName = "general"
    """How well a decoder state and a source word fit; "concat" and "additive" are one."""
    input_feeding: bool = True
    """What was attended to enters the next step."""
    attention: Literal["global", "local_m", "local_p"] = "global"
    """Over all words, over a window that moves a word at each step, or over a window whose middle
    is predicted."""
    window: int = Field(10, ge=1)
    """D: words on each side of a window's middle."""

    @model_validator(mode="after")
    def _widths_fit(self) -> LuongConfig:
        if self.score in SAME_WIDTH and self.bidirectional:
            raise ValueError(
                f"score = {self.score!r} wants states of one width, but the decoder's have "
                f"d_model = {self.d_model} and those of a bidirectional encoder "
                f"{self.encoder_width}: take bidirectional = false, so that both have "
                f"{self.d_model}, or score = 'general' or 'concat', which fit any widths"
            )
        return self

    @property
    def has_places(self) -> bool:
        return self.score == "location"

    @property
    def summary(self) -> str:
        fed = "" if self.input_feeding else ", no input feeding"
        return f"{super().summary}, {self.attention} attention by {self.score}{fed}"

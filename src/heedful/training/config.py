"""The settings of training. Needs no torch."""

from __future__ import annotations

import re
from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from heedful.settings import Settings

Shape = Literal["inverse_sqrt", "linear"]
Optimiser = Literal["adam", "muon"]
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def parse_duration(text: str) -> float:
    """'90s', '10m', '1h30m', '2d' or plain seconds -> seconds."""
    compact = text.replace(" ", "").lower()
    if re.fullmatch(r"\d+(\.\d+)?", compact):
        return float(compact)
    if not re.fullmatch(r"(\d+(\.\d+)?[smhd])+", compact):
        raise ValueError(f"{text!r} is not a time: write for example 90s, 10m or 1h30m")
    return sum(float(n) * _UNITS[u] for n, u in re.findall(r"([\d.]+)([smhd])", compact))


class TrainingConfig(Settings):
    """`[training]`: the paper's recipe by default."""

    batch_tokens: int | None = Field(None, ge=1)
    """Rows of a batch times its longest sentence, at most; 4,096 unless given, and less where small
    data or a short budget would otherwise make few steps."""
    accumulate: int = Field(1, ge=1)
    """Batches whose gradients are added up before each step."""
    steps: int | None = Field(None, ge=1)
    """Stop after so many steps."""
    budget: float | None = Field(None, gt=0)
    """Train the best model that this many seconds allow, all told ("10m" is understood)."""
    schedule: Shape | None = None
    """How the rate falls after warm-up: the paper's way, or linearly to nothing at the last step.
    Linear with a budget, else the paper's, unless given."""
    warmup: int | None = Field(None, ge=1)
    """Steps in which the rate rises; for a Transformer the paper's 4,000 unless given, and less for
    narrow models, short runs and small data; 400 for the others."""
    peak_rate: float | None = Field(None, gt=0)
    """The highest rate; for a Transformer the paper's formula, 1 / √(d_model · warmup), unless
    given, for the others one that suits them. A warm-up that was made shorter than usual for a
    short run or small data does not make it higher; Muon with pre-norm layers gets 3.5 times as
    much."""
    optimiser: Optimiser | None = None
    """The paper's Adam, or Muon, which needs fewer steps; Muon for a Transformer with a budget,
    else Adam, unless given."""
    beta1: float = Field(0.9, ge=0, lt=1)
    """Adam's."""
    beta2: float = Field(0.98, ge=0, lt=1)
    """Adam's."""
    epsilon: float = Field(1e-9, gt=0)
    """Adam's."""
    label_smoothing: float = Field(0.1, ge=0, lt=1)
    """Share of the probability that the loss wants spread over all tokens."""
    split_pieces: float = Field(0.0, ge=0, lt=1)
    """Share of the subwords of a training batch that are read as two smaller ones, other ones each
    time: subword regularisation, for small data that is passed over very often."""
    freeze_embeddings: bool = False
    """Vectors that words begin with stay as they are."""
    clip_norm: float | None = Field(None, gt=0)
    """Shortens a longer gradient to this length; 1 for recurrent and convolutional models, and none
    for Transformers, unless given."""
    validate_every: int | None = Field(None, ge=1)
    """Steps between validations; from the data's size unless given. With a budget, as often as
    validating and saving take no more than a twentieth of the time."""
    checkpoint_every: int | None = Field(None, ge=1)
    """Steps between checkpoints; as often as validations unless given. With a budget, every half
    minute, or more seldom if saving takes long."""
    keep_checkpoints: int = Field(5, ge=1)
    """Checkpoints kept; the oldest goes first."""
    average: int | None = Field(None, ge=1)
    """Last checkpoints, of those that are kept, whose weights are averaged at the end; the average
    is taken if it validates better. 5 unless given; 1 with a budget, whose rate falls to zero, so
    that an average gains nothing."""
    patience: int | None = Field(None, ge=1)
    """Stop after so many validations without a better one; 10 unless given. With a budget all of
    the time is used unless it is given."""
    best_by: Literal["chrf", "bleu", "loss"] = "chrf"
    """What makes a validation the best; chrF is also sure where translations are a word long."""
    validation_lines: int = Field(500, ge=1)
    """Validation lines translated each time; with a budget no more than fit into it, unless given.
    The loss is taken over all, with a budget over four times as many at most."""
    start: str | None = None
    """The model folder whose weights were begun with; set by --from."""
    seed: int = Field(1, ge=0, lt=2**63)
    """Seed of every random choice. A run repeats exactly only with the same number of threads too,
    because each thread draws the dropout of its share of a batch, and with steps, because a budget
    ends by the clock."""
    threads: int | None = Field(None, ge=1, le=1024)
    """CPU threads; those that this machine really grants unless given."""
    device: Literal["auto", "cpu", "cuda", "mps"] = "auto"
    """Where to train; auto takes a GPU if there is one."""
    bf16: bool | None = None
    """Compute in bfloat16; on a CUDA device that can, unless given."""
    tensorboard: bool = False
    """Write TensorBoard's files too (needs the extra heedful[tensorboard])."""

    @model_validator(mode="after")
    def _one_measure(self) -> Self:
        if self.steps is not None and self.budget is not None:
            raise ValueError("steps and budget are both given: training ends by one of them")
        return self

    @field_validator("budget", mode="before")
    @classmethod
    def _duration(cls, value: Any) -> Any:
        return parse_duration(value) if isinstance(value, str) else value


class ResolvedTraining(TrainingConfig):
    """What a run is trained with: nothing is left open."""

    batch_tokens: int
    schedule: Shape
    warmup: int
    peak_rate: float
    optimiser: Optimiser
    average: int
    threads: int
    bf16: bool

"""The settings of the Transformer. Needs no torch."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from heedful.models.config.base import ModelSettings

BOLD = 3.5  # times the paper's rate is what Muon (with its SLOWER) and pre-norm layers gain from


class TransformerConfig(ModelSettings):
    """`[model]`: the Transformer of "Attention Is All You Need"."""

    kind: Literal["transformer"] = "transformer"
    d_ff: int = Field(2048, ge=1)
    """Inner width of the feed-forward network."""
    n_heads: int = Field(8, ge=1)
    """h: heads of each attention."""
    d_k: int | None = Field(None, ge=1)
    """Width of a head's queries and keys; d_model / n_heads unless given."""
    d_v: int | None = Field(None, ge=1)
    """Width of a head's values; d_model / n_heads unless given."""
    pre_norm: bool = False
    """Normalise before each sub-layer, not after it as the paper does; on with a budget, whose few
    steps post-norm layers would need to get going, unless given."""
    activation: Literal["relu", "swish", "gelu"] = "relu"
    """Of the feed-forward network: the paper's max(0, x), or another."""
    positions: Literal["sinusoidal", "learned"] = "sinusoidal"
    """How a position is told: the paper's sinusoids, or trained vectors."""
    score: Literal["scaled_dot", "dot", "cosine", "general", "concat", "additive"] = "scaled_dot"
    """How well a query and a key fit; the paper's, or another to see why it is that. "concat" and
    "additive" are one."""
    attention: Literal["full", "restricted"] = "full"
    """Whether a position looks at its whole sentence, or at its neighbours alone (the paper's
    section 4); the decoder looks at the whole source all the same."""
    window: int = Field(32, ge=1)
    """r: neighbours that restricted attention looks at, half of them on each side; in the decoder
    all before."""

    in_a_budget: ClassVar[dict[str, Any]] = {"pre_norm": True}

    @model_validator(mode="after")
    def _heads_divide_the_width(self) -> TransformerConfig:
        both_given = {"d_model", "n_heads"} <= self.model_fields_set  # else a preset says the rest
        given = self.d_k is not None and self.d_v is not None
        if both_given and not given and self.d_model % self.n_heads:
            near = [h for h in range(1, self.d_model + 1) if self.d_model % h == 0]
            wanted = min(near, key=lambda h: abs(h - self.n_heads))
            raise ValueError(
                f"n_heads = {self.n_heads} does not divide d_model = {self.d_model}: "
                f"take n_heads = {wanted}, or give both d_k and d_v"
            )
        return self

    @property
    def head_key_width(self) -> int:
        """d_k, resolved."""
        return self.d_k or self.d_model // self.n_heads

    @property
    def head_value_width(self) -> int:
        """d_v, resolved."""
        return self.d_v or self.d_model // self.n_heads

    @property
    def summary(self) -> str:
        near = "" if self.attention == "full" else f", {self.window} neighbours attended to"
        score = "" if self.score == "scaled_dot" else f", scores by {self.score}"
        return (
            f"{self.n_layers}+{self.n_layers} layers, d_model {self.d_model}, d_ff {self.d_ff}, "
            f"{self.n_heads} heads, {'pre' if self.pre_norm else 'post'}-norm{near}{score}"
        )

    @property
    def usual_warmup(self) -> int:
        """The paper's 4,000 steps, fewer for narrow models; pre-norm ones can bear a quarter."""
        return min(4000, (4 if self.pre_norm else 16) * self.d_model)

    def rate_after(self, warmup: int) -> float:
        """The paper's."""
        return 1 / math.sqrt(self.d_model * warmup)

    @property
    def gain_from_muon(self) -> float | None:
        return BOLD if self.pre_norm else 1.0

    @property
    def is_bounded(self) -> bool:
        return self.positions == "learned"

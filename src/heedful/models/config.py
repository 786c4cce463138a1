"""The settings of a model, and the papers' sizes by name. Needs no torch."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from heedful.settings import Settings

Tie = Literal["three", "two", "none"]


class TransformerConfig(Settings):
    """`[model]`: the Transformer of "Attention Is All You Need"."""

    kind: Literal["transformer"] = "transformer"
    """Which model."""
    n_layers: int = Field(6, ge=1)
    """N: layers of the encoder, and of the decoder."""
    d_model: int = Field(512, ge=1)
    """Width of every position's vector."""
    d_ff: int = Field(2048, ge=1)
    """Inner width of the feed-forward network."""
    n_heads: int = Field(8, ge=1)
    """h: heads of each attention."""
    d_k: int | None = Field(None, ge=1)
    """Width of a head's queries and keys; d_model / n_heads unless given."""
    d_v: int | None = Field(None, ge=1)
    """Width of a head's values; d_model / n_heads unless given."""
    dropout: float = Field(0.1, ge=0, lt=1)
    """Share of elements dropped after each sub-layer and after the embeddings; more, up to 0.3,
    where a budget passes many times over prose, unless given."""
    pre_norm: bool = False
    """Normalise before each sub-layer, not after it as the paper does; on with a budget, whose few
    steps post-norm layers would need to get going, unless given."""
    positions: Literal["sinusoidal", "learned"] = "sinusoidal"
    """How a position is told: the paper's sinusoids, or trained vectors."""
    tie: Tie | None = None
    """One table for source, target and output ("three"), target and output ("two"), or "none";
    three where both sides share a vocabulary, else two, unless given."""

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


ModelConfig = TransformerConfig

PRESETS: dict[str, dict[str, Any]] = {
    "tiny": {"n_layers": 4, "d_model": 128, "d_ff": 256, "n_heads": 4},
    "small": {"n_layers": 4, "d_model": 256, "d_ff": 1024, "n_heads": 4},
    "base": {"n_layers": 6, "d_model": 512, "d_ff": 2048, "n_heads": 8},  # the paper's
    "big": {"n_layers": 6, "d_model": 1024, "d_ff": 4096, "n_heads": 16, "dropout": 0.3},
}
"""base and big are those of Table 3 of the paper; tiny is that of Wu et al. 2021."""

"""The settings of convolutional sequence-to-sequence learning. Needs no torch."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from heedful.models.config.base import ModelSettings


class ConvConfig(ModelSettings):
    """`[model]`: convolutions with gates, and attention in every layer of the decoder."""

    kind: Literal["conv"] = "conv"
    width: int = Field(3, ge=1)
    """Positions that a convolution sees at once; an odd number."""

    @field_validator("width")
    @classmethod
    def _is_odd(cls, width: int) -> int:
        if width % 2 == 0:
            raise ValueError(
                f"the encoder sees as many positions before as after: take {width - 1} or "
                f"{width + 1}"
            )
        return width

    @property
    def summary(self) -> str:
        return (
            f"{self.n_layers}+{self.n_layers} layers, d_model {self.d_model}, "
            f"convolutions {self.width} wide"
        )

    @property
    def is_bounded(self) -> bool:
        return True

    @property
    def usual_clip(self) -> float | None:
        """As the paper does, though by another measure."""
        return 1.0

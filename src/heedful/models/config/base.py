"""What is said of every model: what trainers, searches and descriptions may ask of any."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Literal

from pydantic import Field

from heedful.settings import Settings

Tie = Literal["three", "two", "none"]


class ModelSettings(Settings):
    """What every `[model]` has."""

    kind: str
    """Which model."""
    n_layers: int = Field(6, ge=1)
    """N: layers of the encoder, and of the decoder."""
    d_model: int = Field(512, ge=1)
    """Width of every position's vector."""
    dropout: float = Field(0.1, ge=0, lt=1)
    """Share of elements dropped between the layers and after the embeddings. Unless given, a budget
    on prose takes a hundredth for each pass over the text, up to 0.3."""
    tie: Tie | None = None
    """One table for source, target and output ("three"), target and output ("two"), or "none";
    three where both sides share a vocabulary, else two, unless given."""

    output_bias: bool = False
    """Whether a number is added to each word's logit, as in Marian's models."""

    source_vectors: int | None = Field(None, ge=1)
    """Width of the vectors that the source's words begin with; read from --source-embeddings."""
    target_vectors: int | None = Field(None, ge=1)
    """The same of the target's words; read from --target-embeddings."""

    in_a_budget: ClassVar[dict[str, Any]] = {}
    """What is better for a model that has little time, unless given."""

    @property
    @abstractmethod
    def summary(self) -> str:
        """Its shape in a few words."""

    @property
    def usual_warmup(self) -> int:
        """Steps, in a run that is long enough."""
        return 400

    def rate_after(self, warmup: int) -> float:
        """The highest learning rate, after a warm-up of so many steps."""
        return 0.006

    @property
    def usual_clip(self) -> float | None:
        """The length to which a longer gradient is cut; None for none."""
        return None

    @property
    def gain_from_muon(self) -> float | None:
        """How many times that rate Muon can take; None if Adam is better for it."""
        return None

    @property
    def attends(self) -> bool:
        """Whether its decoder looks at the source, so that its words have places there."""
        return True

    @property
    def is_bounded(self) -> bool:
        """Whether no translation can be longer than the longest sentence, as with learned
        positions."""
        return False

    @property
    def has_places(self) -> bool:
        """Whether some weights are those of the places of a sentence, so that the longest sentence
        is part of the model's size. A translation may be longer all the same, if only the places of
        the source have any."""
        return self.is_bounded

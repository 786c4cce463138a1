"""Models of Hugging Face's transformers that compute what a Transformer of heedful computes.

Their weights have the same names (exports/marian_names.py). MarianMT normalises after each
sub-layer. Pegasus and Blenderbot normalise before it, and once more after the last layer of the
encoder and of the decoder; Pegasus has the paper's sinusoids, Blenderbot has learned positions.
Needs no torch, no numpy.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from heedful.models.config import TransformerConfig


class Architecture(NamedTuple):
    """A model class of transformers."""

    name: str
    model_type: str
    class_name: str
    has_separate_tables: bool = False
    """Whether source, target and output may each have their own vectors of words."""
    neutral: Mapping[str, Any] = MappingProxyType({})
    """Settings whose defaults would change translations, and the values that do not."""


MARIAN = Architecture("MarianMT", "marian", "MarianMTModel", has_separate_tables=True)
PEGASUS = Architecture("Pegasus", "pegasus", "PegasusForConditionalGeneration")
BLENDERBOT = Architecture(
    "Blenderbot",
    "blenderbot",
    "BlenderbotForConditionalGeneration",
    neutral={"encoder_no_repeat_ngram_size": 0},
)


def architecture_of(model: TransformerConfig) -> Architecture:
    """The class that a Transformer is exported as."""
    if not model.pre_norm:
        return MARIAN
    return PEGASUS if model.positions == "sinusoidal" else BLENDERBOT

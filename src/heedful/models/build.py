"""From a model's settings to the model."""

from __future__ import annotations

from typing import Any

from heedful.models.config import ModelConfig, TransformerConfig
from heedful.models.seq2seq import Seq2Seq
from heedful.models.transformer import Transformer


def build(
    config: ModelConfig, *, source_vocabulary: int, target_vocabulary: int, max_length: int
) -> Seq2Seq[Any]:
    """A new model with random weights. The one place where a model is picked."""
    match config:
        case TransformerConfig():
            return Transformer(
                config,
                source_vocabulary=source_vocabulary,
                target_vocabulary=target_vocabulary,
                max_length=max_length,
            )

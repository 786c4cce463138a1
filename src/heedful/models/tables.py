"""The tables of word vectors, of which some may be one."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from heedful.layers import Embedding
from heedful.models.config import ModelSettings
from heedful.models.seq2seq import Output


@dataclass(frozen=True)
class Sizes:
    """What a text says of a model's size."""

    source_vocabulary: int
    target_vocabulary: int
    max_length: int
    """Tokens of the longest sentence, its marks aside."""

    @property
    def places(self) -> int:
        """Of the longest sentence: its start mark, or its end mark, stands in one of them too."""
        return self.max_length + 1


def make_tables(config: ModelSettings, sizes: Sizes) -> tuple[Embedding, Embedding, Output]:
    """Those of source, target and output, over one, two or three distinct tables.

    A table that begins with vectors of another width than d_model is nobody else's.
    """
    d_model = config.d_model
    n_source, n_target = sizes.source_vocabulary, sizes.target_vocabulary
    target = _table(n_target, config.target_vectors or d_model)
    tie = config.tie or "two"
    if tie == "three" and n_source != n_target:
        raise ValueError(f"one table for vocabularies of {n_source} and {n_target}")
    source = target
    if tie != "three":
        source = _table(n_source, config.source_vectors or d_model)
    fits = tie != "none" and target.shape[1] == d_model
    output = target if fits else _table(n_target, d_model)
    return (
        Embedding(source, d_model),
        Embedding(target, d_model),
        Output(output, has_bias=config.output_bias),
    )


def _table(size: int, width: int) -> nn.Parameter:
    # With this spread, scaled by √width, an embedding's elements have variance 1.
    return nn.Parameter(torch.empty(size, width).normal_(std=width**-0.5))


def for_output(hidden: Tensor) -> Tensor:
    """Small or bounded states as the output wants them: √d_model times as large, as words are too
    when they are looked up in the same table."""
    return hidden * math.sqrt(hidden.shape[-1])

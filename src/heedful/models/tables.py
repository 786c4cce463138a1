"""The tables of word vectors, of which some may be one."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from heedful.layers import Embedding
from heedful.models.config import ModelSettings
from heedful.models.seq2seq import Output


def make_tables(
    config: ModelSettings, source_vocabulary: int, target_vocabulary: int
) -> tuple[Embedding, Embedding, Output]:
    """Those of source, target and output, over one, two or three distinct tables.

    A table that begins with vectors of another width than d_model is nobody else's.
    """
    d_model = config.d_model
    target = _table(target_vocabulary, config.target_vectors or d_model)
    tie = config.tie or "two"
    if tie == "three" and source_vocabulary != target_vocabulary:
        raise ValueError(
            f"one table for vocabularies of {source_vocabulary} and {target_vocabulary}"
        )
    source = target
    if tie != "three":
        source = _table(source_vocabulary, config.source_vectors or d_model)
    fits = tie != "none" and target.shape[1] == d_model
    output = target if fits else _table(target_vocabulary, d_model)
    return Embedding(source, d_model), Embedding(target, d_model), Output(output)


def _table(size: int, width: int) -> nn.Parameter:
    # With this spread, scaled by √width, an embedding's elements have variance 1.
    return nn.Parameter(torch.empty(size, width).normal_(std=width**-0.5))


def for_output(hidden: Tensor) -> Tensor:
    """Small or bounded states as the output wants them: √d_model times as large, as words are too
    when they are looked up in the same table."""
    return hidden * math.sqrt(hidden.shape[-1])

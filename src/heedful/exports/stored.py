"""A stored Transformer as plain arrays, by the names that exports ask for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heedful.exports.expressible import transformer_of
from heedful.model_folder.card import Card, load_checked_tokenizers, read_card
from heedful.model_folder.weights import read_arrays
from heedful.models.config import TransformerConfig
from heedful.text.tokenizer import Tokenizer

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Linear:
    """y = W x + b."""

    weight: Array  # (out, in)
    bias: Array  # (out,)


@dataclass(frozen=True)
class StoredModel:
    """All of a model folder, in memory."""

    card: Card
    weights: dict[str, Array]
    digest: str  # of the file that they were read from
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer

    @property
    def model(self) -> TransformerConfig:
        """Its settings."""
        return transformer_of(self.card)

    def linear(self, name: str) -> Linear:
        """A projection; also a norm, which has the same two parts."""
        return Linear(self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def projections(self, name: str) -> tuple[Linear, Linear, Linear]:
        """Queries, keys and values of an attention."""
        whole = self.linear(f"{name}.project")
        keys = self.model.n_heads * self.model.head_key_width
        weights, biases = (np.split(a, [keys, 2 * keys]) for a in (whole.weight, whole.bias))
        query, key, value = (Linear(w, b) for w, b in zip(weights, biases, strict=True))
        return query, key, value

    @property
    def source_table(self) -> Array:
        """(vocabulary, d_model)"""
        return self.weights["embed_source.table"]

    @property
    def target_table(self) -> Array:
        """The same as the source's where they are tied."""
        return self.weights.get("embed_target.table", self.source_table)

    @property
    def output_table(self) -> Array:
        """The same as the target's where they are tied."""
        return self.weights.get("output.table", self.target_table)

    @property
    def output_bias(self) -> Array | None:
        """(vocabulary,), if there is one."""
        return self.weights.get("output.bias")


def read_stored(folder: Path) -> StoredModel:
    """Reads and checks a model folder."""
    card = read_card(folder)
    tokenizers = load_checked_tokenizers(folder, card)
    return StoredModel(card, *read_arrays(folder, card), *tokenizers)

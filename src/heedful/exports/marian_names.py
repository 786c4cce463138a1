"""What Marian's weights are called, and what of heedful's they are: read one way to export, the
other way to import. Pegasus and Blenderbot have the same names.

Two things differ beside the names. Marian projects queries, keys and values by a matrix each, and
heedful by one that has them below each other. And Marian's sinusoids stand in another order: all
sines, then all cosines. The order of d_model's elements means nothing to a Transformer as long as
all its weights agree on it, so that order is changed in every weight, and the model computes what
it did before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from heedful.exports.stored import Array

Width = Literal["d_model", "d_ff"]

TABLE = "model.shared.weight"
"""The words' vectors, where source, target and output share them; else there is one for each."""
SOURCE_TABLE = "model.encoder.embed_tokens.weight"
TARGET_TABLE = "model.decoder.embed_tokens.weight"
OUTPUT_TABLE = "lm_head.weight"
OUTPUT_BIAS = "final_logits_bias"
POSITIONS = ("model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight")
"""Their sinusoids, which some files hold, or Blenderbot's learned positions."""

ATTENTIONS = {
    "encoder": (("self_attn", "self_attention"),),
    "decoder": (("self_attn", "self_attention"), ("encoder_attn", "cross_attention")),
}
"""Of a layer of each side: Marian's name and heedful's."""


class Part(NamedTuple):
    """A projection or a norm, of which both have a `.weight` and a `.bias`."""

    theirs: str
    ours: str
    takes: Width | None
    """How many numbers come into a projection; None of a norm, whose weight is a row."""
    gives: Width = "d_model"
    """How many come out."""
    third: int | None = None
    """0, 1 or 2 if it is the queries', keys' or values' third of ours; else it is the whole."""

    def reordered(self, weight: Array, bias: Array, order: Sequence[int]) -> tuple[Array, Array]:
        """With d_model's elements in this order: those that come in where a sub-layer begins, and
        those that come out where it ends. What is between, inside an attention or a feed-forward
        network, keeps its own."""
        begins_a_sub_layer = self.third is not None or self.gives == "d_ff"
        if begins_a_sub_layer:
            return weight[:, order], bias
        return weight[order], bias[order]


def parts(n_layers: int, *, pre_norm: bool) -> Iterator[Part]:
    """Those of all layers, on both sides; with pre-norm layers also the norm after the last."""
    for n in range(n_layers):
        for side, attentions in ATTENTIONS.items():
            yield from _layer(f"model.{side}.layers.{n}", f"{side}.{n}", attentions)
    if pre_norm:
        for side in ATTENTIONS:
            yield Part(f"model.{side}.layer_norm", f"{side}_norm", None)


def _layer(theirs: str, ours: str, attentions: Sequence[tuple[str, str]]) -> Iterator[Part]:
    """Its attentions, then its feed-forward network; heedful keeps the norm of each sub-layer in a
    residual frame, which has a number."""
    for frame, (their_name, our_name) in enumerate(attentions):
        their_attention, our_attention = f"{theirs}.{their_name}", f"{ours}.{our_name}"
        for third, letter in enumerate("qkv"):
            their_third = f"{their_attention}.{letter}_proj"
            yield Part(their_third, f"{our_attention}.project", "d_model", third=third)
        yield Part(f"{their_attention}.out_proj", f"{our_attention}.join", "d_model")
        yield Part(f"{their_attention}_layer_norm", f"{ours}.frames.{frame}.norm", None)
    yield Part(f"{theirs}.fc1", f"{ours}.feed_forward.widen", "d_model", gives="d_ff")
    yield Part(f"{theirs}.fc2", f"{ours}.feed_forward.narrow", "d_ff")
    yield Part(f"{theirs}.final_layer_norm", f"{ours}.frames.{len(attentions)}.norm", None)


def marian_order(d_model: int) -> list[int]:
    """Which element of ours is Marian's first, second, …"""
    sines, cosines = range(0, d_model, 2), range(1, d_model, 2)
    return [*sines, *cosines]


def own_order(d_model: int) -> list[int]:
    """Which element of Marian's is our first, second, …"""
    places: list[int] = np.argsort(marian_order(d_model)).tolist()
    return places

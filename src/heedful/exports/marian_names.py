"""What Marian's weights are called, and what of heedful's they are: read one way to export, the
other way to import.

Marian's sinusoids stand in another order: all sines, then all cosines. The order of d_model's
elements means nothing to a Transformer as long as all its weights agree on it, so that order is
changed in every weight, and the model computes what it did before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

TABLE = "model.shared.weight"
SOURCE_TABLE, TARGET_TABLE = (
    f"model.{side}.embed_tokens.weight" for side in ("encoder", "decoder")
)
OUTPUT_TABLE = "lm_head.weight"
OUTPUT_BIAS = "final_logits_bias"
POSITIONS = tuple(f"model.{side}.embed_positions.weight" for side in ("encoder", "decoder"))

Width = Literal["d_model", "d_ff"]


class Part(NamedTuple):
    """A projection or a norm: a weight and a bias."""

    theirs: str
    ours: str
    takes: Width | None
    """What comes into a projection; a norm scales d_model elements."""
    gives: Width = "d_model"
    third: int | None = None
    """Of ours: queries, keys and values are one projection."""

    @property
    def is_inward(self) -> bool:
        """Whether d_model's own elements come in; else they come out. What is inside an attention
        or a feed-forward network keeps its order."""
        return self.third is not None or self.gives == "d_ff"


def parts(n_layers: int) -> Iterator[Part]:
    """Of all layers."""
    for n in range(n_layers):
        for side, attentions in _ATTENTIONS.items():
            yield from _layer(f"model.{side}.layers.{n}", f"{side}.{n}", attentions)


_ATTENTIONS = {
    "encoder": (("self_attn", "self_attention"),),
    "decoder": (("self_attn", "self_attention"), ("encoder_attn", "cross_attention")),
}
"""By both names, each in a residual frame of its own; the feed-forward network is in the last."""


def _layer(theirs: str, ours: str, attentions: tuple[tuple[str, str], ...]) -> Iterator[Part]:
    for frame, (their_attention, our_attention) in enumerate(attentions):
        name, own = f"{theirs}.{their_attention}", f"{ours}.{our_attention}"
        for third, letter in enumerate("qkv"):
            yield Part(f"{name}.{letter}_proj", f"{own}.project", "d_model", third=third)
        yield Part(f"{name}.out_proj", f"{own}.join", "d_model")
        yield Part(f"{name}_layer_norm", f"{ours}.frames.{frame}.norm", None)
    yield Part(f"{theirs}.fc1", f"{ours}.feed_forward.widen", "d_model", gives="d_ff")
    yield Part(f"{theirs}.fc2", f"{ours}.feed_forward.narrow", "d_ff")
    yield Part(f"{theirs}.final_layer_norm", f"{ours}.frames.{len(attentions)}.norm", None)


def order(d_model: int) -> list[int]:
    """Which element of ours is Marian's first, second, …"""
    return [*range(0, d_model, 2), *range(1, d_model, 2)]

"""Marian's weights under heedful's names. Its sinusoids stand in another order, all sines, then all
cosines, so whatever has d_model elements is put into the order that heedful's have."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heedful.imports.folder import Array, MarianSettings, MarianWeights


class Renaming:
    """All but the words' rows, which are numbered anew elsewhere."""

    def __init__(self, weights: MarianWeights, settings: MarianSettings) -> None:
        self._weights = weights
        self._settings = settings
        d_model = settings.d_model
        order = [*range(0, d_model, 2), *range(1, d_model, 2)]
        self._place: NDArray[np.intp] = np.argsort(order)  # of our n-th element in their vectors

    def table(self) -> Array:
        """(vocabulary, d_model), in Marian's order of words."""
        settings = self._settings
        whole = self._weights.take("model.shared.weight", settings.vocab_size, settings.d_model)
        return whole[:, self._place]

    def bias(self) -> Array:
        """(vocabulary,), of the logits, in Marian's order of words."""
        name, n = "final_logits_bias", self._settings.vocab_size
        if name not in self._weights:
            return np.zeros(n, np.float32)
        return self._weights.take(name, 1, n).reshape(n)

    def layers(self) -> dict[str, Array]:
        """Of both sides."""
        found: dict[str, Array] = {}
        for n in range(self._settings.encoder_layers):
            for side, frames in (("encoder", (0, None, 1)), ("decoder", (0, 1, 2))):
                found |= self._layer(f"model.{side}.layers.{n}", f"{side}.{n}", frames)
        return found

    def _layer(
        self, theirs: str, ours: str, frames: tuple[int, int | None, int]
    ) -> dict[str, Array]:
        first, cross, last = frames
        d_model, d_ff = self._settings.d_model, self._settings.encoder_ffn_dim
        found = self._attention(f"{theirs}.self_attn", f"{ours}.self_attention")
        found |= self._norm(f"{theirs}.self_attn_layer_norm", f"{ours}.frames.{first}.norm")
        if cross is not None:
            found |= self._attention(f"{theirs}.encoder_attn", f"{ours}.cross_attention")
            found |= self._norm(f"{theirs}.encoder_attn_layer_norm", f"{ours}.frames.{cross}.norm")
        widen = self._weights.take(f"{theirs}.fc1.weight", d_ff, d_model)
        found |= {
            f"{ours}.feed_forward.widen.weight": widen[:, self._place],
            f"{ours}.feed_forward.widen.bias": self._weights.take(f"{theirs}.fc1.bias", d_ff),
        }
        found |= self._out(f"{theirs}.fc2", f"{ours}.feed_forward.narrow", d_ff)
        return found | self._norm(f"{theirs}.final_layer_norm", f"{ours}.frames.{last}.norm")

    def _attention(self, theirs: str, ours: str) -> dict[str, Array]:
        """Queries, keys and values in one matrix."""
        n, take = self._settings.d_model, self._weights.take
        names = [f"{theirs}.{part}_proj" for part in "qkv"]
        weights = np.concatenate([take(f"{name}.weight", n, n) for name in names])
        return {
            f"{ours}.project.weight": weights[:, self._place],
            f"{ours}.project.bias": np.concatenate([take(f"{name}.bias", n) for name in names]),
        } | self._out(f"{theirs}.out_proj", f"{ours}.join", n)

    def _norm(self, theirs: str, ours: str) -> dict[str, Array]:
        return {f"{ours}.{part}": self._vector(f"{theirs}.{part}") for part in ("weight", "bias")}

    def _out(self, theirs: str, ours: str, width: int) -> dict[str, Array]:
        """A projection that d_model comes out of."""
        weight = self._weights.take(f"{theirs}.weight", self._settings.d_model, width)
        return {
            f"{ours}.weight": weight[self._place],
            f"{ours}.bias": self._vector(f"{theirs}.bias"),
        }

    def _vector(self, name: str) -> Array:
        return self._weights.take(name, self._settings.d_model)[self._place]

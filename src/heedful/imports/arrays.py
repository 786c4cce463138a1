"""Marian's or Pegasus' weights under heedful's names, and in the order of heedful's sinusoids."""

from __future__ import annotations

import numpy as np

from heedful.exports.marian_names import (
    OUTPUT_BIAS,
    OUTPUT_TABLE,
    POSITIONS,
    SOURCE_TABLE,
    TABLE,
    TARGET_TABLE,
    Part,
    marian_order,
    own_order,
    parts,
)
from heedful.imports.folder import MarianSettings
from heedful.imports.weights import Array, MarianWeights


class Renaming:
    """All but the words' rows, which are numbered anew elsewhere."""

    def __init__(self, weights: MarianWeights, settings: MarianSettings) -> None:
        self._weights = weights
        self._settings = settings
        self._order = own_order(settings.d_model)
        self._check_positions()

    def table(self) -> Array:
        """(vocabulary, d_model), in Marian's order of words. It may stand there by several names,
        but must be one."""
        settings, weights = self._settings, self._weights
        names = [TABLE, SOURCE_TABLE, TARGET_TABLE, OUTPUT_TABLE]
        found = next((name for name in names if name in weights), TABLE)
        whole = weights.take(found, settings.vocab_size, settings.d_model)
        for name in names:
            weights.take_the_same(name, whole, f"{found}: one table for all words is wanted")
        return whole[:, self._order]

    def bias(self) -> Array:
        """(vocabulary,), of the logits, in Marian's order of words."""
        n = self._settings.vocab_size
        if OUTPUT_BIAS not in self._weights:
            return np.zeros(n, np.float32)
        return self._weights.take(OUTPUT_BIAS, 1, n).reshape(n)

    def layers(self) -> dict[str, Array]:
        """Of both sides."""
        found: dict[str, list[Array]] = {}
        settings = self._settings
        for part in parts(settings.encoder_layers, pre_norm=settings.pre_norm):
            weight, bias = self._taken(part)
            found.setdefault(f"{part.ours}.weight", []).append(weight)
            found.setdefault(f"{part.ours}.bias", []).append(bias)
        return {name: np.concatenate(thirds) for name, thirds in found.items()}

    def _taken(self, part: Part) -> tuple[Array, Array]:
        widths = {"d_model": self._settings.d_model, "d_ff": self._settings.encoder_ffn_dim}
        gives = widths[part.gives]
        shape = (gives,) if part.takes is None else (gives, widths[part.takes])
        weight = self._weights.take(f"{part.theirs}.weight", *shape)
        bias = self._weights.take(f"{part.theirs}.bias", gives)
        return part.reordered(weight, bias, self._order)

    def _check_positions(self) -> None:
        """Some files hold them, too."""
        if not any(name in self._weights for name in POSITIONS):
            return
        from heedful.layers.positions import sinusoids

        n, d_model = self._settings.max_position_embeddings, self._settings.d_model
        theirs = sinusoids(n, d_model).numpy()[:, marian_order(d_model)]
        for name in POSITIONS:
            tolerance = max(1e-5, self._weights.rough)
            self._weights.take_the_same(name, theirs, "Marian's sinusoids", tolerance)

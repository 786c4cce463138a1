"""To Hugging Face's transformers: post-norm Transformers as MarianMT, pre-norm ones as Pegasus, or
as Blenderbot if their positions are learned."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from heedful.exports.architectures import MARIAN, Architecture, architecture_of
from heedful.exports.expressible import positions
from heedful.exports.huggingface_settings import write_settings
from heedful.exports.marian_names import OUTPUT_BIAS, POSITIONS, Part, marian_order, parts
from heedful.exports.stored import Array, StoredModel
from heedful.exports.word_arrays import word_arrays


def write_huggingface(stored: StoredModel, folder: Path) -> None:
    """Writes weights, settings and tokenizers into an existing folder."""
    from safetensors.numpy import save_file

    architecture = architecture_of(stored.model)
    weights = _weights(stored, architecture)
    arrays = {name: np.ascontiguousarray(array) for name, array in weights.items()}
    save_file(arrays, folder / "model.safetensors", metadata={"format": "pt"})
    write_settings(stored, folder, architecture)


def _weights(stored: StoredModel, architecture: Architecture) -> dict[str, Array]:
    """By their names in the file, with d_model's elements in Marian's order."""
    model = stored.model
    order = marian_order(model.d_model)
    tables = word_arrays(stored, architecture) | _positions(stored, architecture)
    found = {
        name: array if name == OUTPUT_BIAS else array[:, order] for name, array in tables.items()
    }
    for part in parts(model.n_layers, pre_norm=model.pre_norm):
        weight, bias = _of_part(stored, part, order)
        found |= {f"{part.theirs}.weight": weight, f"{part.theirs}.bias": bias}
    return found


def _positions(stored: StoredModel, architecture: Architecture) -> dict[str, Array]:
    """Of both sides. MarianMT computes them; the others read them, sinusoids too, from the file."""
    if architecture == MARIAN:
        return {}
    from heedful.layers.positions import sinusoids  # this loads torch

    own = ("source_positions.table", "target_positions.table")
    if stored.model.positions == "learned":
        return {name: stored.weights[table] for name, table in zip(POSITIONS, own, strict=True)}
    table: Array = sinusoids(positions(stored.card), stored.model.d_model).numpy()
    return dict.fromkeys(POSITIONS, table)


def _of_part(stored: StoredModel, part: Part, order: list[int]) -> tuple[Array, Array]:
    if part.third is None:
        own = stored.linear(part.ours)
    else:
        own = stored.projections(part.ours.removesuffix(".project"))[part.third]
    return part.reordered(own.weight, own.bias, order)

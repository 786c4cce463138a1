"""To CTranslate2, the fastest engine for Transformers on a CPU."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from heedful.exports.expressible import positions
from heedful.exports.stored import Array, Linear, StoredModel
from heedful.model_folder.card import alignment_layer
from heedful.text.special import BOS, EOS, PAD, UNK

NEVER = -1e4
"""A logit whose probability is 0 in 32 bits, and which 16 bits can hold."""

if TYPE_CHECKING:
    from ctranslate2.specs import TransformerSpec


def write_ctranslate2(
    stored: StoredModel, folder: Path, *, quantize: str | None = None, for_others: bool = False
) -> None:
    """Writes `model.bin`, `config.json` and the vocabularies into an existing folder. Others do not
    say that marks must not be written: `for_others` the model itself holds it."""
    spec = _spec(stored)
    if for_others:
        spec.decoder.projection.bias = _without_marks(stored)
    spec.validate()
    spec.optimize(quantization=quantize)
    spec.save(str(folder))


def _spec(stored: StoredModel) -> TransformerSpec:
    from ctranslate2.specs import TransformerSpec  # this loads torch
    from ctranslate2.specs.common_spec import Activation

    from heedful.layers.positions import sinusoids

    model, weights = stored.model, stored.weights
    spec = TransformerSpec.from_config(
        model.n_layers,
        model.n_heads,
        pre_norm=model.pre_norm,
        activation=Activation[model.activation.upper()],
        alignment_layer=alignment_layer(model.n_layers, stored.card.alignment_layer),
        alignment_heads=model.n_heads,
    )
    spec.encoder.embeddings[0].weight = stored.source_table
    spec.decoder.embeddings.weight = stored.target_table
    spec.decoder.projection.weight = stored.output_table
    if stored.output_bias is not None:
        spec.decoder.projection.bias = stored.output_bias
    for side, stack in (("source", spec.encoder), ("target", spec.decoder)):
        learned = weights.get(f"{side}_positions.table")
        stack.position_encodings.encodings = (
            sinusoids(positions(stored.card), model.d_model).numpy() if learned is None else learned
        )
    if model.pre_norm:
        _fill_norm(spec.encoder.layer_norm, stored.linear("encoder_norm"))
        _fill_norm(spec.decoder.layer_norm, stored.linear("decoder_norm"))
    for n in range(model.n_layers):
        _fill_encoder_layer(spec.encoder.layer[n], stored, f"encoder.{n}")
        _fill_decoder_layer(spec.decoder.layer[n], stored, f"decoder.{n}")
    spec.register_source_vocabulary(list(stored.source_tokenizer.vocabulary))
    spec.register_target_vocabulary(list(stored.target_tokenizer.vocabulary))
    marks = stored.target_tokenizer.vocabulary
    spec.config.unk_token, spec.config.bos_token = marks[UNK], marks[BOS]
    spec.config.eos_token, spec.config.decoder_start_token = marks[EOS], marks[BOS]
    spec.config.add_source_eos = True
    return spec


def _without_marks(stored: StoredModel) -> Array:
    """An output bias that leaves marks no probability; the end alone is written."""
    known = stored.output_bias
    bias = np.zeros(len(stored.target_tokenizer), np.float32) if known is None else known.copy()
    bias[[PAD, UNK, BOS]] = NEVER
    return bias


def _fill_encoder_layer(layer: Any, stored: StoredModel, name: str) -> None:
    _fill_self_attention(layer.self_attention, stored, name)
    _fill_feed_forward(layer.ffn, stored, name, frame=1)


def _fill_decoder_layer(layer: Any, stored: StoredModel, name: str) -> None:
    _fill_self_attention(layer.self_attention, stored, name)
    query, key, value = stored.projections(f"{name}.cross_attention")
    _fill(layer.attention.linear[0], query)
    _fill(layer.attention.linear[1], _joined(key, value))
    _fill(layer.attention.linear[2], stored.linear(f"{name}.cross_attention.join"))
    _fill_norm(layer.attention.layer_norm, stored.linear(f"{name}.frames.1.norm"))
    _fill_feed_forward(layer.ffn, stored, name, frame=2)


def _fill_self_attention(spec: Any, stored: StoredModel, name: str) -> None:
    _fill(spec.linear[0], stored.linear(f"{name}.self_attention.project"))
    _fill(spec.linear[1], stored.linear(f"{name}.self_attention.join"))
    _fill_norm(spec.layer_norm, stored.linear(f"{name}.frames.0.norm"))


def _fill_feed_forward(spec: Any, stored: StoredModel, name: str, *, frame: int) -> None:
    _fill(spec.linear_0, stored.linear(f"{name}.feed_forward.widen"))
    _fill(spec.linear_1, stored.linear(f"{name}.feed_forward.narrow"))
    _fill_norm(spec.layer_norm, stored.linear(f"{name}.frames.{frame}.norm"))


def _fill(spec: Any, linear: Linear) -> None:
    spec.weight, spec.bias = linear.weight, linear.bias


def _fill_norm(spec: Any, norm: Linear) -> None:
    spec.gamma, spec.beta = norm.weight, norm.bias


def _joined(*parts: Linear) -> Linear:
    weight: Array = np.concatenate([p.weight for p in parts])
    bias: Array = np.concatenate([p.bias for p in parts])
    return Linear(weight, bias)

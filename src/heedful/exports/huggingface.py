"""To Hugging Face's transformers, as a MarianMT model.

Marian's sinusoids stand in another order: all sines, then all cosines. The order of d_model's
elements means nothing to a Transformer as long as all its weights agree on it, so that order is
changed in every weight, and the model computes what it did before.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from heedful.exports.expressible import positions, transformer_of
from heedful.exports.stored import Array, Linear, StoredModel
from heedful.model_folder.card import Card
from heedful.text.languages import as_word
from heedful.text.special import BOS, EOS, PAD, UNK
from heedful.text.tokenizer import Tokenizer


def write_huggingface(stored: StoredModel, folder: Path) -> None:
    """Writes weights, settings and tokenizers into an existing folder."""
    from safetensors.numpy import save_file

    weights = {name: np.ascontiguousarray(array) for name, array in _weights(stored).items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    write_settings(stored, folder)


def write_settings(stored: StoredModel, folder: Path, **more: Any) -> None:
    """All but the weights; `more` is put into config.json."""
    write_json(folder / "config.json", _config(stored.card) | more)
    write_json(folder / "generation_config.json", _generation(stored.card))
    _write_tokenizers(stored, folder)


def _weights(stored: StoredModel) -> dict[str, Array]:
    model = stored.model
    d_model = model.d_model
    order = [*range(0, d_model, 2), *range(1, d_model, 2)]
    bias = stored.output_bias
    none = np.zeros(len(stored.target_tokenizer), np.float32)
    found = {"final_logits_bias": (none if bias is None else bias)[None]}
    if model.tie == "three":
        found["model.shared.weight"] = stored.source_table[:, order]
    else:
        found["model.encoder.embed_tokens.weight"] = stored.source_table[:, order]
        found["model.decoder.embed_tokens.weight"] = stored.target_table[:, order]
    if model.tie == "none":
        found["lm_head.weight"] = stored.output_table[:, order]
    for n in range(model.n_layers):
        for side, frames in (("encoder", (0, None, 1)), ("decoder", (0, 1, 2))):
            ours, theirs = f"{side}.{n}", f"model.{side}.layers.{n}"
            for name, part in _layer(stored, ours, frames, order).items():
                found[f"{theirs}.{name}.weight"] = part.weight
                found[f"{theirs}.{name}.bias"] = part.bias
    return found


def _layer(
    stored: StoredModel, name: str, frames: tuple[int, int | None, int], order: list[int]
) -> dict[str, Linear]:
    first, cross, last = frames
    parts = _attention(stored, f"{name}.self_attention", "self_attn", order)
    parts["self_attn_layer_norm"] = _out(stored.linear(f"{name}.frames.{first}.norm"), order)
    if cross is not None:
        parts |= _attention(stored, f"{name}.cross_attention", "encoder_attn", order)
        parts["encoder_attn_layer_norm"] = _out(stored.linear(f"{name}.frames.{cross}.norm"), order)
    parts["fc1"] = _in(stored.linear(f"{name}.feed_forward.widen"), order)
    parts["fc2"] = _out(stored.linear(f"{name}.feed_forward.narrow"), order)
    parts["final_layer_norm"] = _out(stored.linear(f"{name}.frames.{last}.norm"), order)
    return parts


def _attention(stored: StoredModel, ours: str, theirs: str, order: list[int]) -> dict[str, Linear]:
    query, key, value = (_in(part, order) for part in stored.projections(ours))
    return {
        f"{theirs}.q_proj": query,
        f"{theirs}.k_proj": key,
        f"{theirs}.v_proj": value,
        f"{theirs}.out_proj": _out(stored.linear(f"{ours}.join"), order),
    }


def _in(linear: Linear, order: list[int]) -> Linear:
    """d_model comes in."""
    return Linear(linear.weight[:, order], linear.bias)


def _out(linear: Linear, order: list[int]) -> Linear:
    """d_model comes out, as it does of a norm."""
    return Linear(linear.weight[order], linear.bias[order])


def _config(card: Card) -> dict[str, Any]:
    model = transformer_of(card)
    sides = {
        f"{side}_{name}": value
        for side in ("encoder", "decoder")
        for name, value in (
            ("layers", model.n_layers),
            ("ffn_dim", model.d_ff),
            ("attention_heads", model.n_heads),
        )
    }
    return sides | {
        "model_type": "marian",
        "architectures": ["MarianMTModel"],
        "vocab_size": card.source_vocabulary,
        "decoder_vocab_size": card.target_vocabulary,
        "d_model": model.d_model,
        "num_hidden_layers": model.n_layers,
        "activation_function": model.activation,
        "dropout": model.dropout,
        "attention_dropout": 0.0,
        "activation_dropout": 0.0,
        "scale_embedding": True,
        "static_position_embeddings": model.positions == "sinusoidal",
        "normalize_before": model.pre_norm,
        "normalize_embedding": False,
        "add_final_layer_norm": model.pre_norm,
        "max_position_embeddings": positions(card),
        "share_encoder_decoder_embeddings": model.tie == "three",
        "tie_word_embeddings": model.tie != "none",
        "is_encoder_decoder": True,
        "torch_dtype": "float32",
        **_marks(),
    }


def _marks() -> dict[str, Any]:
    return {
        "pad_token_id": PAD,
        "bos_token_id": BOS,
        "eos_token_id": EOS,
        "decoder_start_token_id": BOS,
        "forced_eos_token_id": None,
    }


def _generation(card: Card) -> dict[str, Any]:
    """heedful's own search, in their words; the limit is that of the longest sentence."""
    beam = card.decoding.beam
    return {
        "num_beams": beam,
        "length_penalty": card.decoding.exponent,
        "early_stopping": beam > 1,
        "max_length": card.max_length + 1,
        "bad_words_ids": [[PAD], [UNK], [BOS]],
        **_marks(),
    }


def _write_tokenizers(stored: StoredModel, folder: Path) -> None:
    source, target, text = stored.source_tokenizer, stored.target_tokenizer, stored.card.text
    source.save(folder / "source.spm")
    target.save(folder / "target.spm")
    joint = source.digest == target.digest
    write_json(folder / "vocab.json", _numbers(source))
    if not joint:
        write_json(folder / "target_vocab.json", _numbers(target))
    languages = {"source_lang": text.source_lang, "target_lang": text.target_lang}
    settings = {name: lang for name, lang in languages.items() if lang} | {
        "tokenizer_class": "MarianTokenizer",
        "separate_vocabs": not joint,
        "model_max_length": stored.card.max_length + 1,  # and the end mark
        "unk_token": source.vocabulary[UNK],
        "bos_token": source.vocabulary[BOS],
        "eos_token": source.vocabulary[EOS],
        "pad_token": source.vocabulary[PAD],
        "clean_up_tokenization_spaces": False,  # a text's spaces are the model's to write
    }
    write_json(folder / "tokenizer_config.json", settings)


def _numbers(tokenizer: Tokenizer) -> dict[str, int]:
    """Marian's tokenizer cuts a language's word off before SentencePiece sees the text."""
    return {as_word(piece): n for n, piece in enumerate(tokenizer.vocabulary)}


def write_json(path: Path, content: dict[str, Any]) -> None:
    """As all files here are written."""
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

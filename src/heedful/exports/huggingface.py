"""To Hugging Face's transformers, as a MarianMT model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from heedful.exports.expressible import positions, transformer_of
from heedful.exports.marian_names import (
    OUTPUT_BIAS,
    OUTPUT_TABLE,
    SOURCE_TABLE,
    TABLE,
    TARGET_TABLE,
    Part,
    marian_order,
    parts,
)
from heedful.exports.stored import Array, StoredModel
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
    order = marian_order(model.d_model)
    bias = stored.output_bias
    none = np.zeros(len(stored.target_tokenizer), np.float32)
    found = {OUTPUT_BIAS: (none if bias is None else bias)[None]}
    if model.tie == "three":
        found[TABLE] = stored.source_table[:, order]
    else:
        found[SOURCE_TABLE] = stored.source_table[:, order]
        found[TARGET_TABLE] = stored.target_table[:, order]
    if model.tie == "none":
        found[OUTPUT_TABLE] = stored.output_table[:, order]
    for part in parts(model.n_layers):
        weight, bias = _of_part(stored, part, order)
        found |= {f"{part.theirs}.weight": weight, f"{part.theirs}.bias": bias}
    return found


def _of_part(stored: StoredModel, part: Part, order: list[int]) -> tuple[Array, Array]:
    if part.third is None:
        own = stored.linear(part.ours)
    else:
        own = stored.projections(part.ours.removesuffix(".project"))[part.third]
    return part.reordered(own.weight, own.bias, order)


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
    """heedful's own search, in their words: what may not be written has its probability shared
    among the rest, and the limit is that of the longest sentence, between its two marks. What comes
    to the limit is cut there; no end is forced. They have no patience: where heedful has some, they
    search until no live hypothesis is likely to win."""
    beam = card.decoding.beam
    search = card.decoding.for_model(vocabulary=card.target_vocabulary, longest=card.max_length)
    return {
        "num_beams": beam,
        "length_penalty": card.decoding.exponent,
        "early_stopping": beam > 1 and search.candidates == beam,
        "max_length": card.max_length + 2,
        "bad_words_ids": [[PAD], [UNK], [BOS]],
        "renormalize_logits": True,
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

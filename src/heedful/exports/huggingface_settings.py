"""The settings and tokenizers that Hugging Face's transformers reads beside a model's weights.

The tokenizer is Marian's for every architecture: it reads SentencePiece models as they are, of any
kind, one for each side, so that text becomes the ids that heedful gives it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from heedful.exports.architectures import MARIAN, Architecture
from heedful.exports.expressible import positions, transformer_of
from heedful.exports.stored import StoredModel
from heedful.exports.word_arrays import is_joined, target_ids
from heedful.model_folder.card import Card
from heedful.text.languages import as_word
from heedful.text.special import BOS, EOS, PAD, UNK
from heedful.text.tokenizer import Tokenizer


def write_settings(
    stored: StoredModel, folder: Path, architecture: Architecture, **more: Any
) -> None:
    """Writes all but the weights; `more` is put into config.json."""
    ids = target_ids(stored, architecture)
    write_json(folder / "config.json", _config(stored, architecture) | more)
    write_json(folder / "generation_config.json", _generation(stored.card, architecture, ids[UNK]))
    _write_tokenizers(stored, folder, ids)


def _config(stored: StoredModel, architecture: Architecture) -> dict[str, Any]:
    card, model = stored.card, stored.model
    sides = {
        f"{side}_{name}": value
        for side in ("encoder", "decoder")
        for name, value in (
            ("layers", model.n_layers),
            ("ffn_dim", model.d_ff),
            ("attention_heads", model.n_heads),
        )
    }
    joined = is_joined(stored, architecture)
    return sides | {
        "model_type": architecture.model_type,
        "architectures": [architecture.class_name],
        "vocab_size": card.source_vocabulary + (card.target_vocabulary if joined else 0),
        "d_model": model.d_model,
        "num_hidden_layers": model.n_layers,
        "activation_function": model.activation,
        "dropout": model.dropout,
        "attention_dropout": 0.0,
        "activation_dropout": 0.0,
        "scale_embedding": True,
        "max_position_embeddings": positions(card),
        "tie_word_embeddings": model.tie != "none" and not joined,
        "is_encoder_decoder": True,
        "torch_dtype": "float32",
        **(_config_of_marian(card) if architecture == MARIAN else {}),
        **architecture.neutral,
        **_marks(),
    }


def _config_of_marian(card: Card) -> dict[str, Any]:
    """What the other architectures have no choice of."""
    model = transformer_of(card)
    return {
        "decoder_vocab_size": card.target_vocabulary,
        "static_position_embeddings": model.positions == "sinusoidal",
        "normalize_before": model.pre_norm,
        "normalize_embedding": False,
        "add_final_layer_norm": model.pre_norm,
        "share_encoder_decoder_embeddings": model.tie == "three",
    }


def _marks() -> dict[str, Any]:
    return {
        "pad_token_id": PAD,
        "bos_token_id": BOS,
        "eos_token_id": EOS,
        "decoder_start_token_id": BOS,
        "forced_eos_token_id": None,
    }


def _generation(card: Card, architecture: Architecture, unknown: int) -> dict[str, Any]:
    """heedful's own search, in their words: what may not be written has its probability shared
    among the rest, and the limit is that of the longest sentence, between its two marks. What comes
    to the limit is cut there; no end is forced. They have no patience: where heedful has some, they
    search until no live hypothesis is likely to win. `unknown` is the target's UNK."""
    beam = card.decoding.beam
    search = card.decoding.for_model(vocabulary=card.target_vocabulary, longest=card.max_length)
    return {
        "num_beams": beam,
        "length_penalty": card.decoding.exponent,
        "early_stopping": beam > 1 and search.candidates == beam,
        "max_length": card.max_length + 2,
        "bad_words_ids": [[PAD], [unknown], [BOS]],
        "renormalize_logits": True,
        **architecture.neutral,
        **_marks(),
    }


def _write_tokenizers(stored: StoredModel, folder: Path, ids: Iterable[int]) -> None:
    """`ids` are those of the target."""
    source, target, text = stored.source_tokenizer, stored.target_tokenizer, stored.card.text
    source.save(folder / "source.spm")
    target.save(folder / "target.spm")
    numbers, target_numbers = _numbers(source, range(len(source))), _numbers(target, ids)
    one_for_both = source.digest == target.digest and numbers == target_numbers
    write_json(folder / "vocab.json", numbers)
    if not one_for_both:
        write_json(folder / "target_vocab.json", target_numbers)
    languages = {"source_lang": text.source_lang, "target_lang": text.target_lang}
    settings = {name: lang for name, lang in languages.items() if lang} | {
        "tokenizer_class": "MarianTokenizer",
        "separate_vocabs": not one_for_both,
        "model_max_length": stored.card.max_length + 1,  # and the end mark
        "unk_token": source.vocabulary[UNK],
        "bos_token": source.vocabulary[BOS],
        "eos_token": source.vocabulary[EOS],
        "pad_token": source.vocabulary[PAD],
        "clean_up_tokenization_spaces": False,  # a text's spaces are the model's to write
        "split_special_tokens": True,  # a text that holds "</s>" means these four letters
    }
    write_json(folder / "tokenizer_config.json", settings)


def _numbers(tokenizer: Tokenizer, ids: Iterable[int]) -> dict[str, int]:
    """Marian's tokenizer cuts a language's word off before SentencePiece sees the text."""
    pieces = map(as_word, tokenizer.vocabulary)
    return dict(zip(pieces, ids, strict=True))


def write_json(path: Path, content: dict[str, Any]) -> None:
    """As all files here are written."""
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

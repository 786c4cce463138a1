"""The files of a MarianMT model, as Hugging Face's transformers stores them, or of a Pegasus model
that heedful exported, read and checked: what is missing, damaged or beyond heedful is told before
anything is written."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from heedful.errors import InputError
from heedful.exports.architectures import MARIAN, PEGASUS, Architecture

CONFIG, GENERATION, TOKENIZER = "config.json", "generation_config.json", "tokenizer_config.json"
WANTED: dict[str, dict[str, Any]] = {
    MARIAN.model_type: {
        "normalize_before": False, "normalize_embedding": False, "scale_embedding": True,
        "static_position_embeddings": True, "share_encoder_decoder_embeddings": True,
        "tie_word_embeddings": True,
    },
    PEGASUS.model_type: {"scale_embedding": True, "tie_word_embeddings": True},
}  # fmt: skip
"""The architectures that heedful imports, and the settings that it can express of each."""
MARKS = ("pad_token_id", "eos_token_id", "decoder_start_token_id")
MOST_POSITIONS = 512
ACTIVATIONS = {"relu": "relu", "swish": "swish", "silu": "swish", "gelu": "gelu"}
UNSAID: dict[str, Any] = {
    "normalize_before": False, "normalize_embedding": False, "scale_embedding": False,
    "static_position_embeddings": True, "share_encoder_decoder_embeddings": True,
    "tie_word_embeddings": True, "activation_function": "gelu", "max_position_embeddings": 1024,
}  # fmt: skip
"""What transformers takes for granted where a `config.json` does not say it."""


class MarianSettings(BaseModel):
    """What heedful wants to know of `config.json`, in its words."""

    model_type: str
    d_model: int = Field(ge=1)
    encoder_layers: int = Field(ge=1)
    encoder_ffn_dim: int = Field(ge=1)
    encoder_attention_heads: int = Field(ge=1)
    activation_function: str
    dropout: float = 0.1
    vocab_size: int = Field(ge=4)
    max_position_embeddings: int = Field(ge=2)
    model_max_length: float = Field(math.inf, ge=2)  # of the tokenizer
    pad_token_id: int
    eos_token_id: int
    decoder_start_token_id: int

    @property
    def architecture(self) -> Architecture:
        """Pegasus or MarianMT."""
        return PEGASUS if self.model_type == PEGASUS.model_type else MARIAN

    @property
    def pre_norm(self) -> bool:
        """True of Pegasus, which normalises before each sub-layer."""
        return self.architecture == PEGASUS

    @property
    def longest(self) -> int:
        """Tokens of a sentence, and the end mark."""
        return int(min(MOST_POSITIONS, self.max_position_embeddings, self.model_max_length))


def read_json(path: Path) -> dict[str, Any]:
    """An object."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"{path} is missing: a folder of a MarianMT model is wanted, or of a Pegasus model "
            f"that heedful exported, with config.json, model.safetensors, vocab.json, source.spm "
            f"and target.spm"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    if not isinstance(content, dict):
        raise InputError(f"{path}: an object is wanted")
    return content


def read_settings(folder: Path) -> MarianSettings:
    """Newer folders may keep marks with what belongs to the search, or in both places."""
    config = UNSAID | read_json(folder / CONFIG)
    _check(folder, config)
    marks = _marks_of_search(folder)
    tokenizer = read_json(folder / TOKENIZER) if (folder / TOKENIZER).exists() else {}
    told = config | {"model_max_length": tokenizer.get("model_max_length")}
    told = marks | {name: value for name, value in told.items() if value is not None}
    try:
        settings = MarianSettings.model_validate(told)
    except ValidationError as error:
        faults = [f"{fault['loc'][0]}: {fault['msg'].lower()}" for fault in error.errors()]
        raise InputError(f"{folder / CONFIG}: {'; '.join(faults)}") from None
    for name, mark in marks.items():
        if mark != getattr(settings, name):
            raise InputError(
                f"{folder} cannot be imported: {name} = {getattr(settings, name)} in {CONFIG}, and "
                f"{mark} in {GENERATION}: make them the same"
            )
    return settings


def _marks_of_search(folder: Path) -> dict[str, Any]:
    """Those that it names. Several may end a sentence there: a list of one is that one."""
    told = read_json(folder / GENERATION) if (folder / GENERATION).exists() else {}
    found = {name: told[name] for name in MARKS if told.get(name) is not None}
    return {
        name: mark[0] if isinstance(mark, list) and len(mark) == 1 else mark
        for name, mark in found.items()
    }


def _check(folder: Path, config: dict[str, Any]) -> None:
    """Refuses what heedful cannot express."""
    kind = config.get("model_type")
    if not isinstance(kind, str) or kind not in WANTED:
        known = " or ".join(map(repr, WANTED))
        raise InputError(f"{folder} cannot be imported: model_type = {kind!r}, {known} is wanted")
    same = ("layers", "attention_heads", "ffn_dim")
    faults = [
        f"{name} differs between encoder and decoder"
        for name in same
        if config.get(f"encoder_{name}") != config.get(f"decoder_{name}")
    ]
    faults += [
        f"{name} = {config.get(name)!r}, {value!r} is wanted"
        for name, value in WANTED[kind].items()
        if config.get(name) != value
    ]
    if config["activation_function"] not in ACTIVATIONS:
        faults.append(f"activation_function = {config['activation_function']!r} is not known")
    if faults:
        raise InputError(f"{folder} cannot be imported: {'; '.join(faults)}")


def read_languages(folder: Path) -> tuple[str | None, str | None]:
    """Of source and target, if the tokenizer's settings say them, which have stood in two files."""
    own = read_json(folder / TOKENIZER) if (folder / TOKENIZER).exists() else {}
    older = read_json(folder / CONFIG).get("tokenizer")
    older = older if isinstance(older, dict) else {}
    source, target = (
        lang if isinstance(lang, str) and lang else None
        for lang in (own.get(f"{side}_lang") or older.get(side) for side in ("source", "target"))
    )
    return source, target

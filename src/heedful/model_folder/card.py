"""`config.json`: what a model is, and how it came about. Needs no torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, ValidationInfo, field_validator

from heedful import __version__
from heedful.decoding.config import DecodingConfig
from heedful.errors import ModelFolderError
from heedful.files import write_atomically
from heedful.models.config import KINDS, ModelConfig
from heedful.settings import Settings, place_of
from heedful.text.config import TextConfig
from heedful.text.sides import load_sides
from heedful.text.tokenizer import Tokenizer

FORMAT = 2  # 1 had queries, keys and values in matrices of their own
CONFIG = "config.json"
RECIPE = "recipe.toml"


class Card(Settings):
    """What `config.json` holds."""

    text: TextConfig
    model: ModelConfig
    decoding: DecodingConfig
    source_vocabulary: int = Field(ge=1)
    target_vocabulary: int = Field(ge=1)
    max_length: int = Field(ge=1)
    """Most tokens of a sentence."""
    length_ratio: float = Field(gt=0)
    """Target tokens a source token, nearly always at most."""
    tokenizers: dict[str, str]
    """The digest of each side's."""
    weights_digest: str | None = None
    """The weights'; older models have none."""
    alignment_layer: int | None = Field(None, ge=0)
    """Whose attention over the source tells best which words belong together, from 0; older models
    have none, and those that it could not be measured of."""
    training: dict[str, Any] = Field(default_factory=dict)
    """On what, how long."""
    scores: dict[str, Any] = Field(default_factory=dict)
    """How well."""

    @field_validator("alignment_layer")
    @classmethod
    def _is_there(cls, layer: int | None, others: ValidationInfo) -> int | None:
        model = others.data.get("model")  # which may be wrong itself
        if layer is not None and model is not None and layer >= model.n_layers:
            raise ValueError(f"{layer}, and the last layer is {model.n_layers - 1}")
        return layer

    def to_json(self) -> str:
        """As it is written."""
        data = {"format": FORMAT, "heedful": __version__} | self.model_dump(exclude_none=True)
        return json.dumps(data, indent=1) + "\n"


def alignment_layer(n_layers: int, measured: int | None) -> int:
    """Whose attention over the source tells best which words belong together, from 0. Unless it
    was measured it is the last but one (the last looks ahead to what comes next), but not the
    first, which knows least of what is being written, if there is another."""
    return max(n_layers - 2, min(1, n_layers - 1)) if measured is None else measured


def save_card(folder: Path, card: Card) -> None:
    """Replaces `config.json` in one move."""
    write_atomically(folder / CONFIG, card.to_json())


def read_card(folder: Path) -> Card:
    """`config.json`, checked; needs none of the other files."""
    path = folder / CONFIG
    if not folder.is_dir():
        found = "is a file" if folder.exists() else "is not there"
        raise ModelFolderError(f"{folder} {found}: a folder that `heedful train` made is wanted")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        _check_ours(folder, data)
        version = data.pop("format")
        written_by = data.pop("heedful")
        if type(version) is not int:
            raise ValueError(f"format = {version!r}: a whole number is wanted")
    except FileNotFoundError:
        raise ModelFolderError(
            f"{folder} holds no model: {CONFIG} is missing" + _how_to_go_on(folder)
        ) from None
    except (
        OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError
    ) as error:  # fmt: skip
        raise ModelFolderError(f"{path} is damaged ({error}): copy the model again") from None
    if version < FORMAT:
        raise ModelFolderError(
            f"{folder} was made by an older heedful (format {version}; this is {FORMAT}): install "
            f"heedful {written_by} to use it, or train it again"
        )
    if version != FORMAT:
        raise ModelFolderError(
            f"{folder} was made by heedful {written_by} (format {version}), this is {__version__} "
            f"(format {FORMAT}): install a newer heedful to use it"
        )
    try:
        return Card.model_validate(data)
    except ValidationError as error:
        fault = error.errors()[0]
        place = place_of(fault, KINDS)
        unknown = fault["type"] in ("extra_forbidden", "union_tag_invalid")
        if unknown and written_by != __version__:
            raise ModelFolderError(
                f"{path} has {place}, which this heedful ({__version__}) does not know; it was "
                f"made by heedful {written_by}: install that"
            ) from None
        raise ModelFolderError(
            f"{path} is damaged ({place}: {fault['msg']}): copy the model again"
        ) from None


def _check_ours(folder: Path, data: dict[str, Any]) -> None:
    """Other programs' models have a `config.json` too."""
    if "format" in data:
        return
    if "model_type" in data or "architectures" in data:
        raise ModelFolderError(
            f"{folder} is a model of Hugging Face's transformers: if it is a MarianMT one, or a "
            f"Pegasus one that heedful exported, make it heedful's by "
            f"`heedful import {folder} --out NEW_FOLDER`"
        )
    if (folder / "model.bin").exists():
        raise ModelFolderError(
            f"{folder} is a model of CTranslate2, which heedful writes and does not read: give the "
            f"folder that it was exported from"
        )


def _how_to_go_on(folder: Path) -> str:
    """A run that was cut short has settings before it has a model."""
    if not (folder / RECIPE).exists():
        return ""
    return f". If training was cut short, go on with `heedful train --resume --out {folder}`"


def load_checked_tokenizers(folder: Path, card: Card) -> tuple[Tokenizer, Tokenizer]:
    """The tokenizers, if they are those that the weights were trained with."""
    source, target = load_sides(folder)
    for side, tokenizer in (("source", source), ("target", target)):
        if tokenizer.digest != card.tokenizers.get(side):
            raise ModelFolderError(
                f"the {side} tokenizer in {folder} is not the one that the weights were trained "
                f"with: copy the whole model folder again"
            )
    return source, target

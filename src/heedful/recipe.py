"""One recipe holds every setting: it joins the parts' configs and reads and writes the file."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from heedful.decoding.config import DecodingConfig
from heedful.errors import RecipeError, did_you_mean
from heedful.models.config import KINDS, NOT_KINDS, PRESETS, ModelConfig, TransformerConfig, kind_of
from heedful.settings import Settings, explain
from heedful.text.config import TextConfig
from heedful.training.config import ResolvedTraining, TrainingConfig

Sections = dict[str, dict[str, Any]]
RecipeT = TypeVar("RecipeT", bound="Recipe")


class Recipe(Settings):
    """The sections `[text] [model] [training] [decoding]`."""

    text: TextConfig = TextConfig()
    model: ModelConfig = TransformerConfig()
    training: TrainingConfig = TrainingConfig()
    decoding: DecodingConfig = DecodingConfig()

    def sections(self) -> Sections:
        """Every setting that has a value, as plain data."""
        return self.model_dump(exclude_none=True)

    def to_toml(self) -> str:
        """As the file is written."""
        blocks = []
        for section, settings in self.sections().items():
            # Every value is a number, a truth value or plain text: TOML spells them as JSON does.
            lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
            blocks.append("\n".join([f"[{section}]", *lines]))
        return "\n\n".join(blocks) + "\n"


class ResolvedRecipe(Recipe):
    """What a run is trained by, with every choice made."""

    training: ResolvedTraining


def parse(sections: Mapping[str, Any], *, where: str = "") -> Recipe:
    """Plain data -> a checked recipe; what does not fit is named with its section."""
    return _parse(Recipe, sections, where)


def parse_resolved(sections: Mapping[str, Any], *, where: str = "") -> ResolvedRecipe:
    """The same for settings of which none that training needs is missing."""
    return _parse(ResolvedRecipe, sections, where)


def _parse(kind: type[RecipeT], sections: Mapping[str, Any], where: str) -> RecipeT:
    try:
        return kind.model_validate(sections)
    except ValidationError as error:
        model = kind_of(sections.get("model"))
        told = explain(
            error, _known(model), variants=KINDS, of_others=_of_others(model), meant=NOT_KINDS
        )
        raise RecipeError(f"{where}: {told}" if where else told) from None


def read(path: Path, kind: str | None = None) -> Sections:
    """A recipe file's settings. They are checked by themselves, so that errors name the file; as
    those of a model of this kind, if it is told elsewhere."""
    try:
        sections = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RecipeError(f"recipe {path} does not exist") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RecipeError(f"recipe {path} cannot be read: {error}") from None
    asked = merged(sections, {"model": {"kind": kind}}) if kind else sections
    parse(asked, where=str(path))
    return sections


def assignments(pairs: Iterable[str]) -> Sections:
    """['model.dropout=0.3', …] -> {'model': {'dropout': 0.3}, …}."""
    sections: Sections = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        section, dot, key = name.strip().partition(".")
        if not (equals and dot and section and key):
            raise RecipeError(f"--set {pair!r}: write section.setting=value, as model.dropout=0.3")
        sections.setdefault(section, {})[key] = _value(value.strip())
    return sections


def preset(name: str, kind: str) -> Sections:
    """The sizes of a preset for a model of this kind, as settings."""
    known = PRESETS.get(kind, {})
    if kind in PRESETS and name not in known:
        raise RecipeError(
            f"preset {name!r} is not known for {kind}{did_you_mean(name, known)}: "
            f"{', '.join(known)}"
        )
    return {"model": dict(known.get(name, {}))}


def merged(*layers: Mapping[str, Mapping[str, Any]]) -> Sections:
    """Later layers win, setting by setting."""
    sections: Sections = {}
    for layer in layers:
        for section, settings in layer.items():
            sections.setdefault(section, {}).update(settings)
    return sections


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _known(kind: str) -> list[str]:
    """The sections, and the settings of each."""
    names = list(Recipe.model_fields)
    for section, settings in Recipe().model_dump().items():
        if section != "model":
            names += [f"{section}.{key}" for key in settings]
    return names + [f"model.{key}" for key in KINDS.get(kind, TransformerConfig).model_fields]


def _of_others(kind: str) -> dict[str, str]:
    """Settings that models of this kind do not have, and who has them."""
    owners: dict[str, list[str]] = {}
    for other, config in KINDS.items():
        for key in config.model_fields:
            owners.setdefault(key, []).append(other)
    return {
        f"model.{key}": f"it is one of {' and '.join(kinds)}, not of {kind}"
        for key, kinds in owners.items()
        if kind not in kinds
    }

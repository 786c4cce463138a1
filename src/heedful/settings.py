"""The base of every typed config: frozen, keyword-only, unknown keys refused."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from heedful.errors import did_you_mean


class Settings(BaseModel):
    """A section of the recipe, or a part of one. Each part's settings stand beside the part."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, use_attribute_docstrings=True, allow_inf_nan=False
    )


def explain(
    error: ValidationError,
    known: Iterable[str] = (),
    variants: Collection[str] = (),
    of_others: Mapping[str, str] | None = None,
    meant: Mapping[str, str] | None = None,
) -> str:
    """What is wrong with some settings, in a line. The section `model` comes in variants, of which
    its setting `kind` names one; `of_others` tells whose settings some are, `meant` what words mean
    that are no variants, though they look like some."""
    faults = error.errors()
    return "; ".join(
        _fault(fault, list(known), variants, of_others or {}, meant or {}) for fault in faults
    )


def unknown(what: str, name: str, known: Collection[str], meant: Mapping[str, str]) -> str:
    """A name that is not known, what is, and what the user may have meant."""
    near = f" ({meant[name]})" if name in meant else did_you_mean(name, known)
    return f"{what} {name!r} is not known{near}: {', '.join(known)}"


def place_of(fault: Any, variants: Collection[str]) -> str:
    """Such as "model.dropout"; the variant is left out."""
    names = list(map(str, fault["loc"]))
    if names[:1] == ["model"] and names[1:2] and names[1] in variants:
        del names[1]
    return ".".join(names)


def _fault(
    fault: Any,
    known: list[str],
    variants: Collection[str],
    of_others: Mapping[str, str],
    meant: Mapping[str, str],
) -> str:
    place = place_of(fault, variants)
    if fault["type"] == "union_tag_invalid":
        kind = str(fault["ctx"]["tag"])
        return unknown(place, kind, variants, meant)
    if fault["type"] == "extra_forbidden" and place in of_others:
        return f"unknown setting {place}: {of_others[place]}"
    if fault["type"] == "extra_forbidden":
        name = place.rpartition(".")[2]
        namesakes = [other for other in known if other.endswith(f".{name}")]
        # In another section it is what was meant, however unlike the sections are.
        near = f" (did you mean {namesakes[0]!r}?)" if namesakes else did_you_mean(place, known)
        return f"unknown setting {place}{near}"
    message = fault["msg"].removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    if fault["type"] == "literal_error":
        wanted = re.findall(r"'([^']*)'", fault["ctx"]["expected"])
        message += did_you_mean(str(fault["input"]), wanted)
    if fault["type"] == "value_error" and isinstance(fault["input"], dict):
        # A rule about several settings; its message names them.
        return f"[{place}] {message}" if place else message
    return f"{place} = {fault['input']!r}: {message}"

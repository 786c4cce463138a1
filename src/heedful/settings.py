"""The base of every typed config: frozen, keyword-only, unknown keys refused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from heedful.errors import did_you_mean


class Settings(BaseModel):
    """A section of the recipe, or a part of one. Each part's settings stand beside the part."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, use_attribute_docstrings=True, allow_inf_nan=False
    )


def explain(error: ValidationError, known: Iterable[str] = ()) -> str:
    """What is wrong with some settings, in a line."""
    return "; ".join(_fault(fault, list(known)) for fault in error.errors())


def _fault(fault: Any, known: list[str]) -> str:
    place = ".".join(map(str, fault["loc"]))
    if fault["type"] == "extra_forbidden":
        name = place.rpartition(".")[2]
        namesakes = [other for other in known if other.endswith(f".{name}")]
        # In another section it is what was meant, however unlike the sections are.
        near = f" (did you mean {namesakes[0]!r}?)" if namesakes else did_you_mean(place, known)
        return f"unknown setting {place}{near}"
    message = fault["msg"].removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    if fault["type"] == "value_error" and isinstance(fault["input"], dict):
        # A rule about several settings; its message names them.
        return f"[{place}] {message}" if place else message
    return f"{place} = {fault['input']!r}: {message}"

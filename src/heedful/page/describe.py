"""What the page knows of a model before it is asked anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heedful.see.recording.arrays import pack
from heedful.see.recording.inputs import positions_of

if TYPE_CHECKING:
    from heedful.translator import Translator

POSITIONS = 64  # are shown at most


def describe(name: str, translator: Translator) -> dict[str, Any]:
    """Its name, and its positions if it has some."""
    found = positions_of(translator.model, POSITIONS)
    return {"name": name, "positions": None if found is None else pack(found[0])}

"""The base of every typed config: frozen, keyword-only, unknown keys refused."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """A section of the recipe, or a part of one. Each part's settings stand beside the part."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, use_attribute_docstrings=True, allow_inf_nan=False
    )

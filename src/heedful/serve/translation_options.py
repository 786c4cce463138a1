"""What a request wants of its translations, beside the languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from heedful.terminology import COPIES, Wishes


@dataclass(frozen=True, kw_only=True)
class TranslationOptions:
    """If nothing is asked for, the model's own way."""

    nbest: int = 1
    """Translations of each text. A document has one."""
    prefix: str = ""
    """What a text's translation begins with. Pages and documents have none."""
    wishes: Wishes = COPIES
    """Terms, and whether numbers, addresses, tags and placeholders stay as they are."""
    beam: int | None = None
    """How wide the search is; None for what the model has."""
    align: bool = False
    """Whether it is told which words belong together. In pages and documents it is found out where
    it must be, and not told."""

    @property
    def settings(self) -> dict[str, Any]:
        """Those of `[decoding]` that are changed."""
        return {} if self.beam is None else {"beam": self.beam}


USUAL = TranslationOptions()

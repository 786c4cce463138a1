"""What a request wants of its translations, beside the languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from heedful.serve.aside import aside
from heedful.terminology import COPIES, Wishes


@dataclass(frozen=True)
class How:
    """All that may be asked for; if nothing is, the model's own way."""

    nbest: int = 1
    """Translations of each text."""
    prefix: str = ""
    """What the first paragraph's translation begins with."""
    glossary: Mapping[str, str] = field(default_factory=dict)
    keep: Sequence[str] = ()
    beam: int | None = None
    align: bool = False
    """Whether it is told which words belong together."""

    @property
    def settings(self) -> dict[str, Any]:
        """Those of `[decoding]` that are changed."""
        return {} if self.beam is None else {"beam": self.beam}

    async def wishes(self) -> Wishes:
        """The terms, read once and for all, which takes as long as they are many."""
        if not self.glossary and not self.keep:
            return COPIES
        length = sum(map(len, (*self.glossary, *self.glossary.values(), *self.keep)))
        return await aside(length, lambda: Wishes.of(self.glossary, self.keep, copy=True))


AS_USUAL = How()

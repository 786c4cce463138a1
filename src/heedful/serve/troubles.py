"""What goes wrong again and again is told once."""

from __future__ import annotations

import logging
from collections.abc import Hashable

log = logging.getLogger("heedful.serve")


class Troubles:
    """--watch looks every other second: the log shall not say the same each time."""

    def __init__(self) -> None:
        self._told: dict[Hashable, str] = {}

    def __bool__(self) -> bool:
        return bool(self._told)

    def tell(self, about: Hashable, text: str) -> None:
        """Unless it was the last that was said about it."""
        if self._told.get(about) != text:
            log.warning("%s", text)
        self._told[about] = text

    def end(self, about: Hashable) -> None:
        """It is well; what comes is new."""
        self._told.pop(about, None)

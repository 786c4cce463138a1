"""What can be translated: its passages, what has to be known of each, and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from heedful.documents.labels import UNTOLD, Languages
from heedful.planning import Translation
from heedful.text.links import Span

Written = TypeVar("Written", str, bytes, covariant=True)


@dataclass(frozen=True)
class Hint:
    """Of plain text there is nothing to know."""

    is_mixed: bool = False
    """Whether it matters which word of its translation came from which."""
    kept: tuple[Span, ...] = ()
    """The words in it that stay as they are."""


class Translatable(Protocol[Written]):
    """A text, or a file."""

    @property
    def passages(self) -> list[str]:
        """To be translated, in order."""
        ...

    @property
    def hints(self) -> list[Hint]:
        """One for each passage."""
        ...

    def rendered(
        self, translations: Sequence[Translation], languages: Languages = UNTOLD
    ) -> Written:
        """All of it with a translation of each, and where it says its language the other."""
        ...

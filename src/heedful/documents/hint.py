"""What has to be known of a passage to translate it, beside its text."""

from __future__ import annotations

from dataclasses import dataclass

from heedful.text.links import Span


@dataclass(frozen=True)
class Hint:
    """Of plain text there is nothing to know."""

    is_mixed: bool = False
    """Whether it matters which word of its translation came from which."""
    kept: tuple[Span, ...] = ()
    """The words in it that stay as they are."""

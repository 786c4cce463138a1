"""Links of words, told by their numbers."""

from __future__ import annotations

import re

from heedful.text.links import Link


def links_of(source: str, target: str, pairs: str) -> list[Link]:
    """By the numbers of their words: "00 21" is the first to the first, the third to the second."""
    words = [[match.span() for match in re.finditer(r"\S+", text)] for text in (source, target)]
    return [Link(words[0][int(p[0])], words[1][int(p[1])], 1.0) for p in pairs.split()]

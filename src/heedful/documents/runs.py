"""What a passage is made of: pieces of text, and what stands between them, in inline elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heedful.documents.labels import Label
    from heedful.documents.passage import Passage

Parts = Sequence["str | Passage | Label"]
"""What is copied, and in it passages and names of languages."""

DEEPEST = 32
"""Inline elements in each other. What would be deeper is not told apart: each piece of text knows
all that it stands in."""
INNERMOST = 8
"""Paragraphs in each other that are read; what is deeper is copied."""


@dataclass(frozen=True, eq=False, slots=True)
class Element:
    """What stands before and behind what is inside; two that look the same are still two."""

    before: Parts
    behind: str
    is_single: bool = False
    """Whether it may not be there twice, whatever comes between its words."""


Chain = tuple[Element, ...]
"""The inline elements that something stands in, the outermost first."""


@dataclass(frozen=True, slots=True)
class Run:
    """Some text, all of it in the same elements."""

    text: str
    chain: Chain


@dataclass(frozen=True, slots=True)
class Mark:
    """Something inside a passage that is no text of it: a picture, a note, a tab, an anchor,
    the dash before an item."""

    parts: Parts
    chain: Chain
    is_space: bool = False
    """Whether it parts two words."""
    may_be_cut: bool = False
    """Whether a line ends there, in no element that would become two."""
    is_word: bool = False
    """Whether it reads as a word that stays as it is: a name, a piece of a program."""
    said: str = ""
    """What it says, if it is translated as a word among the others, which then finds its place."""


def in_common(one: Chain, other: Chain) -> Chain:
    """The elements that both stand in."""
    n = 0
    while n < min(len(one), len(other)) and one[n] is other[n]:
        n += 1
    return one[:n]

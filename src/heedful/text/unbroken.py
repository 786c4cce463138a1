"""Tags are not cut: while a text is cut into sentences and pieces, they have no spaces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from heedful.text.copied import TAG_SHAPE

_SPACE = re.compile(r"\s")
_NONE = "\ue0ff"  # a character that nobody writes; where one does, tags may be cut


def cut_between_tags(text: str, cut: Callable[[str], list[str]]) -> Iterator[str]:
    """What `cut` makes of a text, which it gives back whole, in pieces."""
    if "<" not in text or _NONE in text:
        yield from cut(text)
        return
    place = 0
    for piece in cut(TAG_SHAPE.sub(lambda tag: _SPACE.sub(_NONE, tag[0]), text)):
        yield text[place : place + len(piece)]
        place += len(piece)


def as_written(piece: str) -> str:
    """Whoever looks at a piece while it is cut sees its tags with spaces."""
    return piece.replace(_NONE, " ")

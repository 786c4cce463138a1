"""Where elements end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heedful.documents.tags import Token
from heedful.errors import InputError

_CELLS = ("td", "th")
_ROWS = ("tr", *_CELLS)
_GROUPS = ("tbody", "thead", "tfoot")
_BLOCKS = (
    "address", "article", "aside", "blockquote", "details", "div", "dl", "fieldset", "figcaption",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "main", "nav",
    "ol", "p", "pre", "section", "table", "ul",
)  # fmt: skip
IMPLIED: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "li": (("li",), ("ul", "ol", "menu")),
    **dict.fromkeys(("dt", "dd"), (("dt", "dd"), ("dl",))),
    **dict.fromkeys(("option", "optgroup"), (("option",), ("select",))),
    **dict.fromkeys(_CELLS, (_CELLS, ("tr", "table"))),
    "tr": (_ROWS, ("table",)),
    **dict.fromkeys(_GROUPS, ((*_GROUPS, *_ROWS), ("table",))),
    **dict.fromkeys(_BLOCKS, (("p",), (*_CELLS, "caption", "button", "object"))),
}
"""What of HTML begins where which others end, even if nobody says so, unless they stand around the
last of these."""


class _Open:
    """Elements that have begun, the innermost last."""

    def __init__(self, ends: list[int]) -> None:
        self._ends = ends
        self._begun: list[tuple[int, str]] = []
        self._depths: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self._begun)

    def begin(self, n: int, name: str) -> None:
        """At token n."""
        self._depths.setdefault(name, []).append(len(self._begun))
        self._begun.append((n, name))

    def depth(self, name: str) -> int:
        """Of the innermost of a name, -1 if there is none."""
        return depths[-1] if (depths := self._depths.get(name)) else -1

    def end(self, depth: int, place: int) -> None:
        """All that are as deep and deeper."""
        while len(self._begun) > depth:
            n, name = self._begun.pop()
            self._depths[name].pop()
            self._ends[n] = place

    def last(self) -> int:
        """The token that the innermost began at."""
        return self._begun[-1][0]


def html_ends(found: Sequence[Token], void: frozenset[str]) -> list[int]:
    """Behind the end of the element that begins at each token; of what is no element, behind
    itself. What nobody ends is ended with what it stands in, and an end of nothing is no end."""
    ends = list(range(1, len(found) + 1))
    opened = _Open(ends)
    for n, token in enumerate(found):
        if token.kind in ("start", "empty") and token.name in IMPLIED:
            closed, around = IMPLIED[token.name]
            least = max(map(opened.depth, around))
            depths = [depth for depth in map(opened.depth, closed) if depth > least]
            opened.end(min(depths, default=len(opened)), n)
        if token.kind == "start" and token.name not in void:
            opened.begin(n, token.name)
        elif token.kind == "end" and (depth := opened.depth(token.name)) >= 0:
            opened.end(depth + 1, n)
            opened.end(depth, n + 1)
    opened.end(0, len(found))
    return ends


def xml_ends(found: Sequence[Token]) -> list[int]:
    """The same, where there has to be an element, and each has to be ended, in order."""
    if not any(token.kind in ("start", "empty") for token in found):
        raise InputError("the file is damaged: a part of it has no element")
    ends = list(range(1, len(found) + 1))
    opened = _Open(ends)
    for n, token in enumerate(found):
        if token.kind == "start":
            opened.begin(n, token.name)
        elif token.kind == "end":
            if not len(opened) or opened.depth(token.name) != len(opened) - 1:
                raise InputError(f"the file is damaged: {token.raw[:50]} ends nothing")
            opened.end(len(opened) - 1, n + 1)
    if len(opened):
        raise InputError(f"the file is damaged: {found[opened.last()].raw[:50]} is never ended")
    return ends

"""HTML and its kin: passages between the tags that break a text.

Tags are copied as they were written. Those inside a sentence go where their words went.
"""

from __future__ import annotations

import html
from dataclasses import dataclass

from heedful.documents.passage import Composed, Element, Mark, Passage, Run
from heedful.documents.tags import Token, end_of, raw, tokens

INLINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "del", "dfn", "em", "font", "i",
    "ins", "label", "mark", "nobr", "q", "s", "small", "span", "strike", "strong", "sub", "sup",
    "time", "tt", "u",
})  # fmt: skip
INSIDE = frozenset(["wbr", "img", "input", "code", "kbd", "samp", "var", "svg", "math"])
"""Stay in a sentence, with all that is in them."""
UNTOUCHED = frozenset(["script", "style", "pre", "textarea", "template"])
"""Stay as they are, between sentences."""
VOID = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
})  # fmt: skip
"""Have no end."""


@dataclass(frozen=True)
class Rules:
    """Which tags do what, in a kind of document; all others part one passage from the next."""

    inline: frozenset[str] = INLINE
    inside: frozenset[str] = INSIDE
    untouched: frozenset[str] = UNTOUCHED
    void: frozenset[str] = VOID
    within: frozenset[str] | None = None
    """If given, only what stands in one of these is text."""


HTML = Rules()


def read_markup(text: str, rules: Rules = HTML) -> Composed:
    """A text with tags."""
    return Composed(_Cutter(rules).cut(tokens(text)))


class _Cutter:
    """Goes through the tokens of a text, and puts passages together."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._parts: list[str | Passage] = []
        self._content: list[Run | Mark] = []  # of the passage at hand
        self._raw: list[str] = []  # the same, as it was written
        self._chain: tuple[Element, ...] = ()
        self._depth = 0  # of tags that text must stand in

    def cut(self, found: list[Token]) -> list[str | Passage]:
        """All of them."""
        ends = _pairs(found, self._rules)
        closing = set(ends.values())
        n = 0
        while n < len(found):
            token = found[n]
            end = end_of(found, n) if self._is_copied(token) else n + 1
            written = raw(found[n:end])
            if token.kind == "text":
                self._add(Run(html.unescape(written), self._chain), written)
            elif end > n + 1 or token.kind == "other" or token.name in self._rules.inside:
                self._whole(token, written)
            elif n in ends:
                self._chain += (Element(written, found[ends[n]].raw),)
                self._raw.append(written)
            elif n in closing:
                self._chain = self._chain[:-1]
                self._raw.append(written)
            else:
                self._break(token, written)
            n = end
        self._break(None, "")
        return self._parts

    def _is_copied(self, token: Token) -> bool:
        """Whether an element stays as it is, with all that is in it."""
        rules = self._rules
        is_whole = token.stays or token.name in rules.inside or token.name in rules.untouched
        return is_whole and token.name not in rules.void

    def _whole(self, token: Token, written: str) -> None:
        """Copied; it stays in its sentence unless it is of those that part them."""
        rules = self._rules
        if token.kind == "other" or token.name in rules.inside | rules.inline:
            self._add(Mark(written, self._chain), written)
        else:
            self._break(None, written)

    def _add(self, item: Run | Mark, written: str) -> None:
        self._content.append(item)
        self._raw.append(written)

    def _break(self, token: Token | None, written: str) -> None:
        """Ends a passage, if there is one."""
        is_text = self._rules.within is None or self._depth > 0
        if is_text and any(isinstance(i, Run) and i.text.strip() for i in self._content):
            self._parts.append(Passage(tuple(self._content)))
        else:
            self._parts.append("".join(self._raw))
        self._parts.append(written)
        self._content, self._raw = [], []
        if token is not None and self._rules.within and token.name in self._rules.within:
            self._depth += {"start": 1, "end": -1}.get(token.kind, 0)


def _pairs(found: list[Token], rules: Rules) -> dict[int, int]:
    """Where inline elements begin and end: those that hold nothing that parts passages."""
    ends: dict[int, int] = {}
    waiting: list[int] = []
    for n, token in enumerate(found):
        if token.kind == "start" and token.name in rules.inline and not token.stays:
            waiting.append(n)
        elif token.kind == "end" and waiting and found[waiting[-1]].name == token.name:
            ends[waiting.pop()] = n
        elif token.kind in ("start", "end", "empty") and not _is_inside(token, rules):
            waiting.clear()
    return ends


def _is_inside(token: Token, rules: Rules) -> bool:
    return token.name in rules.inside or (token.stays and token.name in rules.inline)

"""HTML and its kin: passages between the tags that break a text.

Tags are copied as they were written. Those inside a sentence go where their words went.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heedful.documents.passage import Composed, Passage
from heedful.documents.runs import DEEPEST, Chain, Element, Mark, Run
from heedful.documents.tags import Token, end_of, raw, tokens, unescaped

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
    spaces: frozenset[str] = frozenset()
    """Those inside a sentence that part two words."""

    def parts_passages(self, token: Token) -> bool:
        """Whether a sentence ends at it, unless it is half of an inline element."""
        if token.kind == "whole":
            return not (token.name in self.inside or token.name in self.inline or not token.name)
        return token.kind != "text"

    def is_copied(self, token: Token) -> bool:
        """Whether an element stays as it is, with all that is in it."""
        is_whole = token.stays or token.name in self.inside or token.name in self.untouched
        return is_whole and token.name not in self.void


HTML = Rules()


def read_markup(text: str, rules: Rules = HTML) -> Composed:
    """A text with tags."""
    return Composed(_Cutter(rules).cut(list(_with_whole_ones(tokens(text), rules))))


def _with_whole_ones(found: Sequence[Token], rules: Rules) -> Iterator[Token]:
    """With one token for each element that is copied."""
    n = 0
    while n < len(found):
        token = found[n]
        end = end_of(found, n) if rules.is_copied(token) else n + 1
        is_whole = end > n + 1 or token.kind == "other" or token.name in rules.inside
        yield Token("whole", token.name, raw(found[n:end])) if is_whole else token
        n = end


class _Cutter:
    """Goes through the tokens of a text, and puts passages together."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._parts: list[str | Passage] = []
        self._between: list[str] = []  # copied since the last passage
        self._content: list[Run | Mark] = []  # of the passage at hand
        self._raw: list[str] = []  # the same, as it was written
        self._chain: Chain = ()
        self._depth = 0  # of tags that text must stand in

    def cut(self, found: Sequence[Token]) -> list[str | Passage]:
        """All of them."""
        ends = _pairs(found, self._rules)
        closing = set(ends.values())
        for n, token in enumerate(found):
            if token.kind == "text":
                self._content.append(Run(unescaped(token.raw), self._chain))
                self._raw.append(token.raw)
            elif n in ends:
                self._chain += (Element(token.raw, found[ends[n]].raw),)
                self._raw.append(token.raw)
            elif n in closing:
                self._chain = self._chain[:-1]
                self._raw.append(token.raw)
            elif self._rules.parts_passages(token):
                self._break(token)
            else:
                is_space = token.name in self._rules.spaces
                self._content.append(Mark(token.raw, self._chain, is_space))
                self._raw.append(token.raw)
        self._break(None)
        self._parts.append("".join(self._between))
        return self._parts

    def _break(self, token: Token | None) -> None:
        """Ends a passage, if there is one."""
        is_text = self._rules.within is None or self._depth > 0
        if is_text and any(isinstance(i, Run) and i.text.strip() for i in self._content):
            self._parts += ["".join(self._between), Passage(tuple(self._content))]
            self._between = []
        else:
            self._between += self._raw
        self._content, self._raw = [], []
        if token is not None:
            self._between.append(token.raw)
            if self._rules.within and token.name in self._rules.within:
                self._depth += {"start": 1, "end": -1}.get(token.kind, 0)


def _pairs(found: Sequence[Token], rules: Rules) -> dict[int, int]:
    """Where inline elements begin and end: those that hold nothing that parts passages."""
    ends: dict[int, int] = {}
    waiting: list[int] = []
    for n, token in enumerate(found):
        if token.kind == "start" and token.name in rules.inline:
            if len(waiting) == DEEPEST:
                waiting.clear()
            waiting.append(n)
        elif token.kind == "end" and waiting and found[waiting[-1]].name == token.name:
            ends[waiting.pop()] = n
        elif rules.parts_passages(token):
            waiting.clear()
    return ends

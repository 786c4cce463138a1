"""HTML and its kin: passages between the tags that break a text.

Tags are copied as they were written. Those inside a sentence go where their words went.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Literal

from heedful.documents.passage import Element, Mark, Passage, Run
from heedful.planning import Translation

INLINE = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "label",
        "mark",
        "nobr",
        "q",
        "s",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
    ]
)
INSIDE = frozenset(["wbr", "img", "input", "code", "kbd", "samp", "var", "svg", "math"])
"""Stay in a sentence, with all that is in them."""
UNTOUCHED = frozenset(["script", "style", "pre", "textarea", "template"])
"""Stay as they are, between sentences."""
VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
    ]
)
"""Have no end."""

Kind = Literal["start", "end", "empty", "text", "other"]


@dataclass(frozen=True)
class Token:
    """A tag, or what stands between two."""

    kind: Kind
    name: str
    raw: str
    stays: bool = False  # it says that it shall not be translated


class _Reader(HTMLParser):
    """Notes where each token begins; they make up the text exactly."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self._lines = [0]
        for line in text.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self.found: list[tuple[int, Kind, str, bool]] = []
        self.feed(text)
        self.close()

    def _note(self, kind: Kind, name: str = "", stays: bool = False) -> None:
        line, column = self.getpos()
        self.found.append((self._lines[line - 1] + column, kind, name, stays))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        classes = (given.get("class") or "").split()
        self._note("start", tag, given.get("translate") == "no" or "notranslate" in classes)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note("empty", tag)

    def handle_endtag(self, tag: str) -> None:
        self._note("end", tag)

    def handle_data(self, data: str) -> None:
        self._note("text")

    def handle_entityref(self, name: str) -> None:
        self._note("text")

    def handle_charref(self, name: str) -> None:
        self._note("text")

    def handle_comment(self, data: str) -> None:
        self._note("other")

    def handle_decl(self, decl: str) -> None:
        self._note("other")

    def handle_pi(self, data: str) -> None:
        self._note("other")

    def unknown_decl(self, data: str) -> None:
        self._note("other")


def tokens(text: str) -> list[Token]:
    """Joined again, they are the text."""
    found = _Reader(text).found
    starts = [start for start, *_ in found]
    ends = [*starts[1:], len(text)] if starts else []
    made = [
        Token(kind, name, text[start:end], stays)
        for (start, kind, name, stays), end in zip(found, ends, strict=True)
    ]
    first = text[: found[0][0]] if found else text
    return [Token("other", "", first), *made] if first else made


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


class Markup:
    """A text with tags: passages, and what stands between them."""

    def __init__(self, text: str, rules: Rules = HTML) -> None:
        self._parts: list[str | Passage] = _Cutter(rules).cut(tokens(text))

    @property
    def passages(self) -> list[str]:
        """To be translated."""
        return [part.text for part in self._parts if isinstance(part, Passage)]

    def rendered(self, translations: Sequence[Translation]) -> str:
        """The text again, with these translations of its passages."""
        coming = iter(translations)
        return "".join(
            part if isinstance(part, str) else _rendered(part, next(coming)) for part in self._parts
        )


def _rendered(passage: Passage, translation: Translation) -> str:
    return passage.rendered(translation.text, translation.links, escape)


def escape(text: str) -> str:
    """As it is written between tags."""
    return html.escape(text, quote=False)


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
            end = self._end_of(found, n)
            raw = "".join(t.raw for t in found[n:end])
            if token.kind == "text":
                self._add(Run(html.unescape(raw), self._chain), raw)
            elif end > n + 1 or token.kind == "other" or token.name in self._rules.inside:
                self._whole(token, raw)
            elif n in ends:
                self._chain += (Element(raw, found[ends[n]].raw),)
                self._raw.append(raw)
            elif n in closing:
                self._chain = self._chain[:-1]
                self._raw.append(raw)
            else:
                self._break(token, raw)
            n = end
        self._break(None, "")
        return self._parts

    def _end_of(self, found: list[Token], n: int) -> int:
        """Behind the token; of an element that is copied whole, behind its end."""
        token, rules = found[n], self._rules
        is_whole = token.stays or token.name in rules.inside or token.name in rules.untouched
        if token.kind != "start" or not is_whole or token.name in rules.void:
            return n + 1
        depth = 0
        for m in range(n, len(found)):
            if found[m].name == token.name:
                depth += {"start": 1, "end": -1}.get(found[m].kind, 0)
            if depth == 0:
                return m + 1
        return len(found)

    def _whole(self, token: Token, raw: str) -> None:
        """Copied; it stays in its sentence unless it is of those that part them."""
        rules = self._rules
        if token.kind == "other" or token.name in rules.inside | rules.inline:
            self._add(Mark(raw, self._chain), raw)
        else:
            self._break(None, raw)

    def _add(self, item: Run | Mark, raw: str) -> None:
        self._content.append(item)
        self._raw.append(raw)

    def _break(self, token: Token | None, raw: str) -> None:
        """Ends a passage, if there is one."""
        is_text = self._rules.within is None or self._depth > 0
        if is_text and any(isinstance(i, Run) and i.text.strip() for i in self._content):
            self._parts.append(Passage(tuple(self._content)))
        else:
            self._parts.append("".join(self._raw))
        self._parts.append(raw)
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

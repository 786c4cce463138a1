"""Tags, and what stands between them, exactly as they were written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Literal

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


def end_of(found: Sequence[Token], n: int) -> int:
    """Behind the end of the element that begins at n; of what is no element, behind itself."""
    if found[n].kind != "start":
        return n + 1
    depth = 0
    for m in range(n, len(found)):
        if found[m].name == found[n].name:
            depth += {"start": 1, "end": -1}.get(found[m].kind, 0)
        if depth == 0:
            return m + 1
    return len(found)


def raw(found: Sequence[Token]) -> str:
    """As it was written."""
    return "".join(token.raw for token in found)

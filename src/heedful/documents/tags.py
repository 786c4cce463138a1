"""Tags, and what stands between them, exactly as they were written.

Texts come from anybody: whatever is in one, reading it takes time in proportion to its length.
Where a tag, a comment or the like is never closed, the rest of the text belongs to it, as in a
browser, so that no place is looked at twice.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from heedful.errors import InputError

Kind = Literal["start", "end", "empty", "text", "other", "whole"]
MOST_TAGS = 300_000  # of a document: each takes up to a kilobyte while it is read

_BEGIN = re.compile(r"<(?=[a-zA-Z/!?])")
# Only behind = a quote is a quote. One that is never closed is a character like any other; there
# can be but one of each in a text, so looking for its end in vain costs little.
_MARKUP = re.compile(
    r"""
    <(?P<slash>/?+)(?P<name>[a-z][^\s/>]*+)
        (?: [^>=]++ | =\s*+ (?: "[^"]*+" | '[^']*+' )?+ )*+ >
    | <!-- (?: -?> | .*?--!?> )
    | <!\[CDATA\[ .*? \]\]>
    | <!doctype [^>\[]*+ (?: \[ [^\]]*+ \] [^>]*+ )?+ >
    | < (?: \? | / | ! (?! -- | \[CDATA\[ | doctype ) ) [^>]*+ >
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL | re.ASCII,
)
_ATTRIBUTE = re.compile(
    r"""([^\s/>=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>]*+)))?""", re.ASCII
)
_RAW_ENDS = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE | re.ASCII)
    for name in ("script", "style")
}
"""Elements with no tags inside, and how they end."""
_LONG_NUMBER = re.compile(r"&#([0-9]{8,}+);?")


class Token(NamedTuple):
    """A tag, or what stands between two; or a whole element that stays as it is."""

    kind: Kind
    name: str
    raw: str
    stays: bool = False  # it says that it shall not be translated


def check_tags(text: str, most: int) -> int:
    """How many tags there may be in a text, if they are not too many."""
    tags = text.count("<")
    if tags > most:
        raise InputError(f"the document has {tags:,} tags and more: {most:,} at most")
    return tags


def tokens(text: str) -> list[Token]:
    """Joined again, they are the text."""
    found: list[Token] = []
    place = 0  # all before it is in tokens
    while begin := _BEGIN.search(text, place):
        start = begin.start()
        match = _MARKUP.match(text, start)
        if match is None and _is_text(text, start):
            break
        if start > place:
            found.append(Token("text", "", text[place:start]))
        token = _tag(match) if match else Token("other", "", text[start:])
        found.append(token)
        place = start + len(token.raw)
        if token.kind == "start" and token.name in _RAW_ENDS:
            end = _RAW_ENDS[token.name].search(text, place)
            inside = text[place : end.start() if end else len(text)]
            found += [Token("other", "", inside)] * bool(inside)
            place += len(inside)
    return [*found, Token("text", "", text[place:])] if place < len(text) else found


def _is_text(text: str, start: int) -> bool:
    """Whether what looks like the beginning of a tag is just a sign: nothing ends it at all."""
    return text[start + 1] not in "!?" and text.find(">", start) < 0


def _tag(match: re.Match[str]) -> Token:
    written = match[0]
    if match["name"] is None:
        return Token("other", "", written)
    name = match["name"].lower()
    if match["slash"]:
        return Token("end", name, written)
    if written.endswith("/>"):
        return Token("empty", name, written)
    return Token("start", name, written, "translate" in written.lower() and _stays(match))


def _stays(match: re.Match[str]) -> bool:
    """Of attributes of the same name the first holds."""
    given: dict[str, str] = {}
    start = match.end("name") - match.start()
    for name, *values in _ATTRIBUTE.findall(match[0][start:]):
        given.setdefault(name.lower(), "".join(values).lower())
    return given.get("translate") == "no" or "notranslate" in given.get("class", "").split()


def unescaped(text: str) -> str:
    """With characters in place of their names and numbers. `html.unescape` fails with numbers of
    thousands of digits."""
    return html.unescape(_LONG_NUMBER.sub(_short_number, text))


def _short_number(match: re.Match[str]) -> str:
    digits = match[1].lstrip("0") or "0"
    return f"&#{digits};" if len(digits) < 8 else "\ufffd"


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

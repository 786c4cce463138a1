"""Tags, and what stands between them, exactly as they were written.

Texts come from anybody: whatever is in one, reading it takes time in proportion to its length.
Where a tag, a comment or the like is never closed, the rest of the text belongs to it, as in a
browser, so that no place is looked at twice.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from html.entities import html5
from typing import Literal, NamedTuple

from heedful.errors import InputError

Kind = Literal["start", "end", "empty", "text", "cdata", "other"]
LONGEST = 1 << 22  # characters of a tag: a picture may be written into one

_BEGIN = re.compile(r"<(?=[a-zA-Z/!?])")
# Only behind = a quote is a quote. One that is never closed is a character like any other; there
# can be but one of each in a text, so looking for its end in vain costs little.
_MARKUP = re.compile(
    r"""
    <(?P<slash>/?+)(?P<name>[a-z][^\s/>]*+)
        (?: (?> [^>=]++ | =\s*+ (?> (?: "[^"]*+" | '[^']*+' )? ) ) )*+ >
    | <!-- (?: -?> | .*?--!?> )
    | (?P<cdata> <!\[CDATA\[ .*? \]\]> )
    | <!doctype [^>\[]*+ (?> (?: \[ [^\]]*+ \] [^>]*+ )? ) >
    | < (?: \? | / | ! (?! -- | \[CDATA\[ | doctype ) ) [^>]*+ >
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL | re.ASCII,
)
NOTED = (
    "translate", "class", "alt", "title", "placeholder", "lang", "xml:lang", "fo:language",
    "fo:country", "id", "xml:id",
)  # fmt: skip
"""Attributes that matter."""
_IDS = ("id", "xml:id")
_NOTED = "|".join(NOTED)
_NAME = re.compile(r"<[^\s/>]++")
_ATTRIBUTE = re.compile(
    rf"""
    (?: (?> [\s/=]++ | (?! (?:{_NOTED}) [\s/>=] ) [^\s/>=]++
        (?> (?: \s*+=\s*+ (?: "[^"]*+" | '[^']*+' | [^\s>]*+ ) )? ) ) )*+
    (?P<name>{_NOTED})
    (?> (?: \s*+=\s*+ (?P<value> "[^"]*+" | '[^']*+' | [^\s>]*+ ) )? )
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
"""The next that matters, behind those that do not."""
_RAW_ENDS = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE | re.ASCII)
    for name in ("script", "style")
}
"""Elements with no tags inside, and how they end."""
_LONG_NUMBER = re.compile(r"&#([0-9]{8,}+);?")
_ENTITY = re.compile(r"&(?!#)([^\s&;<]{1,64}+);")


class Token(NamedTuple):
    """A tag, or what stands between two."""

    kind: Kind
    name: str
    raw: str


class Attribute(NamedTuple):
    """Its value without quotes, and where it stands in its tag with them."""

    value: str
    quote: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Joined again, they are the text."""
    found: list[Token] = []
    place = 0  # all before it is in tokens
    while begin := _BEGIN.search(text, place):
        start = begin.start()
        match = _MARKUP.match(text, start, start + LONGEST)
        if match is None and _is_text(text, start):
            break
        if match is None and len(text) - start > LONGEST:
            raise InputError(f"{text[start : start + 20]!r} begins a tag of over {LONGEST:,} signs")
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
        return Token("cdata" if match["cdata"] else "other", "", written)
    name = match["name"].lower()
    if match["slash"]:
        return Token("end", name, written)
    return Token("empty" if written.endswith("/>") else "start", name, written)


def attributes(tag: str) -> dict[str, Attribute]:
    """Those that matter. Of attributes of the same name the first holds."""
    given: dict[str, Attribute] = {}
    name = _NAME.match(tag)
    place = name.end() if name else 0
    while len(given) < len(NOTED) and (match := _ATTRIBUTE.match(tag, place)):
        place = match.end()
        value = match["value"] or ""
        quote = value[:1] if value[:1] in ("'", '"') and value[-1:] == value[:1] else ""
        inner = value[1:-1] if quote else value
        given.setdefault(match["name"].lower(), Attribute(inner, quote, *match.span("value")))
    return given


def stays(token: Token) -> bool:
    """Whether a tag says that what is in it shall not be translated."""
    if token.kind != "start" or "translate" not in token.raw.lower():
        return False
    given = {name: attribute.value.lower() for name, attribute in attributes(token.raw).items()}
    return given.get("translate") == "no" or "notranslate" in given.get("class", "").split()


def has_id(token: Token) -> bool:
    """Whether others may find an element by its name."""
    return "id" in token.raw.lower() and not attributes(token.raw).keys().isdisjoint(_IDS)


def unescaped(text: str) -> str:
    """With characters in place of their names and numbers. `html.unescape` fails with numbers of
    thousands of digits."""
    return html.unescape(_LONG_NUMBER.sub(_short_number, text))


def _short_number(match: re.Match[str]) -> str:
    digits = match[1].lstrip("0") or "0"
    return f"&#{digits};" if len(digits) < 8 else "\ufffd"


def cut_at_entities(text: str) -> Iterator[tuple[str, bool]]:
    """The text of an XML file, and the names in it that only the file itself can explain."""
    end = 0
    for match in _ENTITY.finditer(text):
        if match[1] + ";" not in html5:
            yield text[end : match.start()], False
            yield match[0], True
            end = match.end()
    yield text[end:], False


def raw(found: Sequence[Token]) -> str:
    """As it was written."""
    return "".join(token.raw for token in found)

"""OpenDocument texts (.odt)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from heedful.documents.allowance import Allowance
from heedful.documents.labels import country_of, language_of
from heedful.documents.markup import read_markup
from heedful.documents.passage import Composed
from heedful.documents.rules import Rules

MAIN = "content.xml"
PARTS = frozenset({MAIN, "styles.xml"})
"""Headers and footers are in the styles."""
_NAMESPACE = "urn:oasis:names:tc:opendocument:xmlns:"
_COPIED = frozenset({
    "math:math", "office:annotation", "office:binary-data", "text:ruby-text", "text:script",
    "text:tracked-changes",
})  # fmt: skip


def _code(said: Mapping[str, str]) -> str:
    """A country alone says no language."""
    country = said.get("fo:country", "none")
    language = said.get("fo:language", "")
    return f"{language}-{country}" if language and country != "none" else language


OPEN_DOCUMENT = Rules(
    inline=frozenset({"text:span", "text:a", "text:meta", "text:ruby", "text:ruby-base"}),
    links=frozenset({"text:a"}),
    inside=_COPIED,
    words=frozenset(),
    untouched=frozenset(),
    void=frozenset(),
    spaces=frozenset({"text:s", "text:tab"}),
    texts=(),
    languages={"fo:language": language_of, "fo:country": country_of},
    code=_code,
    paragraphs=frozenset({"text:p", "text:h"}),
    breaks=frozenset({"text:line-break"}),
    namespaces={
        f"{_NAMESPACE}text:1.0": "text",
        f"{_NAMESPACE}office:1.0": "office",
        "http://www.w3.org/1998/Math/MathML": "math",
    },
    is_xml=True,
    is_strict=True,
)


def texts(
    names: Sequence[str], contents: Callable[[str], bytes]
) -> Mapping[str, Callable[[str, Allowance], Composed]]:
    """The files that are text, and how they are read; none without the main one."""
    return {name: _read for name in names if name in PARTS} if MAIN in names else {}


def _read(text: str, allowance: Allowance) -> Composed:
    return read_markup(text, OPEN_DOCUMENT, allowance)

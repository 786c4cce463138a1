"""Books (.epub): pages, their contents, and what is said of the book: its title, its language."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from heedful.documents.allowance import Allowance
from heedful.documents.charsets import is_utf8
from heedful.documents.labels import Label, labelled
from heedful.documents.markup import read_markup
from heedful.documents.passage import Composed, Passage
from heedful.documents.rules import HTML, Rules

PAGE = replace(HTML, is_xml=True)
CONTENTS = Rules(
    inline=frozenset(),
    inside=frozenset(),
    untouched=frozenset(),
    void=frozenset(),
    texts=(),
    paragraphs=frozenset({"text", "ncx:text"}),
    namespaces={"http://www.daisy.org/z3986/2005/ncx/": "ncx"},
    is_xml=True,
)
PACKAGE = replace(
    CONTENTS,
    paragraphs=frozenset({"dc:title"}),
    namespaces={"http://purl.org/dc/elements/1.1/": "dc"},
)
_LANGUAGE = re.compile(r"<(?:[\w.-]++:)?language(?:\s[^<>]*+)?>\s*+(?P<code>[\w-]++)\s*+</")


def texts(
    names: Sequence[str], contents: Callable[[str], bytes]
) -> Mapping[str, Callable[[str, Allowance], Composed]]:
    """The files that are text or say what it is, and how they are read."""
    reads = {"html": _page, "htm": _page, "xhtml": _page, "xhtm": _page, "ncx": _contents}
    endings = {name: name.lower().rpartition(".")[2] for name in names}
    pages = {name: reads[ending] for name, ending in endings.items() if ending in reads}
    packages = [name for name, ending in endings.items() if ending == "opf"]
    told = {name: _package for name in packages if is_utf8(contents(name))}
    return {**pages, **told} if pages else {}


def _page(text: str, allowance: Allowance) -> Composed:
    return read_markup(text, PAGE, allowance)


def _contents(text: str, allowance: Allowance) -> Composed:
    return read_markup(text, CONTENTS, allowance)


def _package(text: str, allowance: Allowance) -> Composed:
    """What the book is, for programs: its title changes, and its language. A description may be
    HTML inside of XML, and stays."""
    found: list[str | Passage | Label] = []
    parts = read_markup(text, PACKAGE, allowance).parts
    for is_copied, group in groupby(parts, lambda part: isinstance(part, str)):
        some = list(group)
        found += labelled("".join(map(str, some)), _LANGUAGE) if is_copied else some
    return Composed(found)

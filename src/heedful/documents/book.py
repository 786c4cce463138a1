"""Books (.epub): pages, and their contents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from heedful.documents.allowance import Allowance
from heedful.documents.markup import read_markup
from heedful.documents.passage import Composed
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


def texts(
    names: Sequence[str], contents: Callable[[str], bytes]
) -> Mapping[str, Callable[[str, Allowance], Composed]]:
    """The files that are text, and how they are read."""
    reads = {"html": _page, "htm": _page, "xhtml": _page, "xhtm": _page, "ncx": _contents}
    endings = {name: name.lower().rpartition(".")[2] for name in names}
    return {name: reads[ending] for name, ending in endings.items() if ending in reads}


def _page(text: str, allowance: Allowance) -> Composed:
    return read_markup(text, PAGE, allowance)


def _contents(text: str, allowance: Allowance) -> Composed:
    return read_markup(text, CONTENTS, allowance)

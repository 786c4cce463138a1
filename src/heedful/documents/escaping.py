"""How text is written into a file."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from heedful.documents.charsets import UNICODE, declared

Escape = Callable[[str], str]
_FORBIDDEN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""No XML may hold them, whatever a model writes."""


def in_text(text: str) -> str:
    """Signs that would begin a tag or a name go by their names."""
    return html.escape(_FORBIDDEN.sub(" ", text), quote=False)


def _in_ascii(text: str) -> str:
    return in_text(text).encode("ascii", "xmlcharrefreplace").decode("ascii")


def escape_for(text: str) -> Escape:
    """Where a file says that it is not in Unicode, all but ASCII goes by numbers, which are right
    in any encoding."""
    return in_text if declared(text) in UNICODE else _in_ascii


def in_quotes(escape: Escape) -> Escape:
    """The same, in the value of an attribute."""
    return lambda text: escape(text).replace('"', "&quot;").replace("'", "&#39;")

"""How text is written into a file."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

Escape = Callable[[str], str]
HEAD = 4096  # characters in which a file says how it is encoded
_ENCODING = re.compile(
    r"""(?: <\?xml\s [^>]*? \b encoding | <meta\s [^>]*? charset ) \s*=\s* ["']?+ ([\w.:-]+)""",
    re.VERBOSE | re.IGNORECASE,
)


_FORBIDDEN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""No XML may hold them, whatever a model writes."""


def in_text(text: str) -> str:
    """Signs that would begin a tag or a name go by their names."""
    return html.escape(_FORBIDDEN.sub(" ", text), quote=False)


def _in_ascii(text: str) -> str:
    return in_text(text).encode("ascii", "xmlcharrefreplace").decode("ascii")


def escape_for(text: str) -> Escape:
    """Where a file says that it is not UTF-8, all but ASCII goes by numbers, which are right in any
    encoding."""
    match = _ENCODING.search(text, 0, HEAD)
    encoding = match[1].lower() if match else "utf-8"
    return in_text if encoding in ("utf-8", "utf8") else _in_ascii


def in_quotes(escape: Escape) -> Escape:
    """The same, in the value of an attribute."""
    return lambda text: escape(text).replace('"', "&quot;").replace("'", "&#39;")

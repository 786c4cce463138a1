"""Names of elements in XML: what is before the colon is chosen by each file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from heedful.documents.tags import Token

HEAD = 1 << 16  # characters in which a file says what its prefixes stand for
_DECLARED = re.compile(r"""\sxmlns(?>(?::([\w.-]++))?)\s*+=\s*+["']([^"']*+)["']""")


def prefixes(text: str, known: Mapping[str, str]) -> dict[str, str]:
    """Those of a file, and those that we know these namespaces by, where they differ."""
    found: dict[str, str] = {}
    for match in _DECLARED.finditer(text, 0, HEAD) if known else ():
        own = (match[1] or "").lower()
        if match[2] in known and known[match[2]] != own:
            found.setdefault(own, known[match[2]])
    return found


def named(found: Sequence[Token], renamed: Mapping[str, str]) -> Sequence[Token]:
    """The same tokens with known prefixes."""
    if not renamed:
        return found
    return [_named(token, renamed) if token.name else token for token in found]


def _named(token: Token, renamed: Mapping[str, str]) -> Token:
    prefix, _, name = token.name.rpartition(":")
    return token._replace(name=f"{renamed[prefix]}:{name}") if prefix in renamed else token

"""What must stand in a translation: terms of a glossary, and what is copied as it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

# Placeholders of programs, addresses, tags, numbers. What stands inside another is not found.
_COPIED = re.compile(
    r"""
    \{\{[^{}\n]{1,60}\}\} | \$?\{[^{}\n]{1,60}\} |   # {{name}}, {name}, ${name}
    %\([A-Za-z_]\w*\)[sdifr] | %\d*\$?[sdif](?!\w) |  # %(name)s, %s, %1$s
    https?://[^\s<>"']*[^\s<>"'.,;:!?)\]] | www\.[^\s<>"']*[^\s<>"'.,;:!?)\]] |
    [\w.+-]+@[\w-]+(?:\.[\w-]+)+ |                    # somebody@example.org
    </?[A-Za-z][^<>\n]{0,200}> |                      # <b>, </b>, <br/>
    (?<![\w.,])\d+(?:[.,:/-]\d+)*(?!\w)               # 7, 3.14, 12:30
    """,
    re.VERBOSE,
)


def copied(text: str) -> list[str]:
    """What a translation has as its source has it, as often as it stands there."""
    return _COPIED.findall(text)


def terms(text: str, glossary: Mapping[str, str]) -> list[str]:
    """The translations of the terms that stand in a text, as whole words; the longer term wins
    where two overlap."""
    if not glossary:
        return []
    by_small = {source.lower(): target for source, target in glossary.items()}
    longest_first = sorted(glossary, key=len, reverse=True)
    any_term = "|".join(map(re.escape, longest_first))
    found = re.findall(rf"(?<!\w)(?:{any_term})(?!\w)", text, re.IGNORECASE)
    return [by_small[term.lower()] for term in dict.fromkeys(found) if term.lower() in by_small]


def lacking(wanted: list[str], translation: str) -> bool:
    """Whether something that is wanted does not stand there, or not as often."""
    return any(translation.count(text) < times for text, times in Counter(wanted).items())

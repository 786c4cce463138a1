"""What must stand in a translation: terms of a glossary, and what is copied as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from heedful.text.links import Link, Span

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
_CLOSES = re.compile(r"[.,;:!?)\]}»”%]")  # what no space stands before


@dataclass(frozen=True)
class Wanted:
    """A text that a translation must have, and where the source has what it stands for."""

    text: str
    source: Span


def copied(text: str) -> list[Wanted]:
    """What a translation has as its source has it, as often as it stands there."""
    return [Wanted(match[0], match.span()) for match in _COPIED.finditer(text)]


def terms(text: str, glossary: Mapping[str, str]) -> list[Wanted]:
    """The translations of the terms that stand in a text, as whole words, each once; the longer
    term wins where two overlap."""
    if not glossary:
        return []
    by_small = {source.lower(): target for source, target in glossary.items()}
    longest_first = sorted(glossary, key=len, reverse=True)
    any_term = "|".join(map(re.escape, longest_first))
    found: dict[str, Wanted] = {}
    for match in re.finditer(rf"(?<!\w)(?:{any_term})(?!\w)", text, re.IGNORECASE):
        target = by_small.get(match[0].lower())
        if target is not None:
            found.setdefault(match[0].lower(), Wanted(target, match.span()))
    return list(found.values())


def lacking(wanted: Iterable[Wanted], translation: str) -> list[Wanted]:
    """Those that do not stand there, or not as often. A number inside another does not count."""
    left = {text: _times(text, translation) for text in {want.text for want in wanted}}
    missing = []
    for want in wanted:
        left[want.text] -= 1
        if left[want.text] < 0:
            missing.append(want)
    return missing


def _times(text: str, translation: str) -> int:
    before = r"(?<!\d)" if text[:1].isdigit() else ""
    behind = r"(?!\d)" if text[-1:].isdigit() else ""
    return len(re.findall(before + re.escape(text) + behind, translation))


def insert(want: Wanted, translation: str, links: Sequence[Link]) -> tuple[str, list[Link]]:
    """The translation with what its model has no words for, and the links moved with their words:
    before the word that looks there, else behind that of the word before it."""
    start, end = want.source
    there = [link.target[0] for link in links if link.source[0] < end and start < link.source[1]]
    before = max((link for link in links if link.source[1] <= start),
                 key=lambda link: link.source[1], default=None)  # fmt: skip
    place = min(there) if there else before.target[1] if before else 0
    left, right = translation[:place].rstrip(), translation[place:].lstrip()
    added = (left and " ") + want.text
    behind = " " if right and not _CLOSES.match(right) else ""
    shift = len(left + added + behind) - (len(translation) - len(right))
    moved = [link if link.target[0] < place else link.moved(0, shift) for link in links]
    return left + added + behind + right, moved

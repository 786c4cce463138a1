"""Where a file says which language it is in: translated, it says the other one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

_CODE = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")


class Languages(NamedTuple):
    """Of a translation."""

    source: str = ""
    target: str = ""

    def is_source(self, code: str) -> bool:
        """Whether a file means the source's: en-US and en are the same, pt-PT and pt-BR are not."""
        if not _CODE.fullmatch(self.source) or not _CODE.fullmatch(self.target):
            return False
        one, other = (c.lower().replace("_", "-").split("-") for c in (code, self.source))
        n = min(len(one), len(other))
        return one[:n] == other[:n]


UNTOLD = Languages()
"""Nobody says between which: all names of languages stay."""


@dataclass(frozen=True)
class Label:
    """A place where a language is said."""

    code: str
    """Which."""
    written: str
    """What stands there."""
    spelt: Callable[[str], str] = str
    """How another one is written there."""

    def rendered(self, languages: Languages) -> str:
        """The source's name becomes the target's; others stay."""
        return self.spelt(languages.target) if languages.is_source(self.code) else self.written


def labelled(text: str, pattern: re.Pattern[str]) -> list[str | Label]:
    """A text, cut where the pattern finds a `code`."""
    parts: list[str | Label] = []
    end = 0
    for match in pattern.finditer(text):
        parts += [text[end : match.start("code")], Label(match["code"], match["code"])]
        end = match.end("code")
    return [*parts, text[end:]]


def language_of(code: str) -> str:
    """Without a country."""
    return code.split("-")[0]


def country_of(code: str) -> str:
    """As OpenDocument has it: `none` if there is none."""
    countries = (part.upper() for part in code.split("-")[1:] if len(part) == 2)
    return next(countries, "none")

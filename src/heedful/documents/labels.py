"""Where a file says which language it is in: translated, it says the other one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

_CODE = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
_SAME = {
    "zh-cn": "zh-hans", "zh-sg": "zh-hans", "zh-tw": "zh-hant", "zh-hk": "zh-hant",
    "zh-mo": "zh-hant", "no": "nb",
}  # fmt: skip
"""Codes that files have for what models have other codes for."""


@dataclass(frozen=True)
class Languages:
    """Of a translation; what is no code is nothing."""

    source: str = ""
    target: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", _checked(self.source))
        object.__setattr__(self, "target", _checked(self.target))

    def is_source(self, code: str) -> bool:
        """Whether a file means the source's: en-US and en are the same, pt-PT and pt-BR are not."""
        one, other = _parts(_checked(code)), _parts(self.source)
        n = min(len(one), len(other))
        return bool(n and self.target) and one[:n] == other[:n]


def _checked(code: str) -> str:
    """Parted by hyphens; nothing, if it is no code."""
    code = code.replace("_", "-")
    return code if _CODE.fullmatch(code) else ""


def _parts(code: str) -> list[str]:
    """Of a code, or of what it means."""
    code = code.lower()
    for other, same in _SAME.items():
        if f"{code}-".startswith(f"{other}-"):
            code = same + code.removeprefix(other)
    return code.split("-") if code else []


UNTOLD = Languages()
"""Nobody says between which: all names of languages stay."""


@dataclass(frozen=True, slots=True)
class Label:
    """A place where a language is said."""

    code: str
    """The language; there may be only a part of it in this place, as the country."""
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


def first_of(said: Mapping[str, str]) -> str:
    """Of several that each say all of it."""
    return next(iter(said.values()), "")


def language_of(code: str) -> str:
    """Without a country."""
    return code.split("-")[0]


def country_of(code: str) -> str:
    """As OpenDocument has it: `none` if there is none."""
    countries = (part.upper() for part in code.split("-")[1:] if len(part) == 2)
    return next(countries, "none")

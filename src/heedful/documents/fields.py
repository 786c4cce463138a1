"""Word's fields: runs say where one begins, where its result begins, and where it ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_KIND = re.compile(r"""fldCharType\s*=\s*["'](begin|separate|end)["']""")


class Field(NamedTuple):
    """Which of the siblings parts it from what is before, which its result, and which ends it."""

    begin: int
    separate: int
    end: int


def kind_of(written: str) -> str:
    """What a run with one of these characters says; nothing if there is another."""
    kinds: list[str] = _KIND.findall(written)
    return kinds[0] if len(kinds) == 1 else ""


def fields(kinds: Sequence[str]) -> dict[int, Field]:
    """Those that begin and end among these siblings, by where they begin."""
    found: dict[int, Field] = {}
    begun: list[tuple[int, int | None]] = []
    for n, kind in enumerate(kinds):
        if kind == "begin":
            begun.append((n, None))
        elif kind == "separate" and begun:
            begun[-1] = (begun[-1][0], n)
        elif kind == "end" and begun:
            begin, separate = begun.pop()
            if separate is not None:
                found[begin] = Field(begin, separate, n)
    return found

"""Regular expressions that every Python that we support reads alike."""

from __future__ import annotations

import re
from pathlib import Path

import heedful

_GROUP = re.compile(r"(?<!\))(?:\)|\{_?[A-Z]\w*\})(?:[*+?]|\{+[0-9,]+\}+)\+")
"""A group that gives nothing back, as (?:a|b)*+: before 3.11.5 Python finds too little with it
where the group has choices of its own. (?>(?:a|b)*) means the same, and all find it; and where that
takes too much memory, (?:(?>a|b))*+."""


def is_misread(pattern: str) -> bool:
    return _GROUP.search(re.sub(r"[ \n]", "", pattern)) is not None


def test_no_group_is_possessive() -> None:
    for example in ("(?:a|b)*+", "(a)?+ b", "(ab){2,}+", "(a\n )*+", "(ab){{2,}}+", "{_MARK}*+"):
        assert is_misread(example), example
    for example in (r"[^>]*+", "(?>(?:a|b)*)", r"\w++", "[a-z]{{2,24}}+", "(?: (?> a|b ) )*+"):
        assert not is_misread(example), example
    for path in sorted(Path(heedful.__file__).parent.rglob("*.py")):
        assert not is_misread(path.read_text(encoding="utf-8")), path

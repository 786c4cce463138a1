"""In which encoding a file is, by what it says of itself."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping

UTF_8 = "utf-8"
_BY_MARK = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
HEAD = 4096  # characters in which a file says how it is encoded
_DECLARED = re.compile(
    r"""(?: <\?xml\s [^>]*? \b encoding | <meta\s [^>]*? charset ) \s*=\s* ["']?+ ([\w.:-]+)""",
    re.VERBOSE | re.IGNORECASE,
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_WESTERN = ("iso-8859-1", "iso8859-1", "latin1", "latin-1", "us-ascii", "ascii", "cp1252")
KNOWN: Mapping[str, str] = {
    **dict.fromkeys(_WESTERN, "cp1252"),
    **{f"iso-8859-{n}": f"iso-8859-{n}" for n in (*range(2, 11), 13, 14, 15, 16)},
    **{f"windows-{n}": f"cp{n}" for n in range(1250, 1259)},
    **{name: name for name in ("koi8-r", "koi8-u", "euc-jp", "gbk", "gb18030")},
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis"), "cp932"),
    "euc-kr": "cp949",
    "gb2312": "gbk",
    "big5": "big5hkscs",
}
"""Encodings other than UTF-8 that are read, and what Python calls the ones that browsers take them
for."""


def declared(text: str) -> str:
    """What a file says; UTF-8 if it says nothing."""
    match = _DECLARED.search(_COMMENT.sub("", text[:HEAD]))
    name = match[1].lower() if match else UTF_8
    return UTF_8 if name == "utf8" else name


def encoding_by_mark(data: bytes) -> str:
    """UTF-16 if the file begins with its mark, as many of Windows do; else UTF-8."""
    return _BY_MARK.get(data[:2], UTF_8)


def encoding_of(data: bytes) -> str:
    """UTF-8 if it can be read so, whatever it says; else by its mark, or what it says, if that is
    known."""
    if is_utf8(data):
        return UTF_8
    if (marked := encoding_by_mark(data)) != UTF_8:
        return marked
    return KNOWN.get(declared(data[:HEAD].decode("latin-1")), UTF_8)


def is_utf8(data: bytes) -> bool:
    """Whether it can be read so."""
    try:
        data.decode(UTF_8)
    except UnicodeDecodeError:
        return False
    return True

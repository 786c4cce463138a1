"""In which encoding a file is, by what it says of itself."""

from __future__ import annotations

import re
from collections.abc import Mapping

from heedful.errors import InputError
from heedful.text.utf8 import marked_encoding

UTF_8 = "utf-8"
UNICODE = frozenset({UTF_8, "utf-16", "utf-16le", "utf-16be", "utf-16-le", "utf-16-be", "unicode"})
"""What files call encodings that have all characters."""
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


def encoding_of_text(data: bytes) -> str:
    """UTF-16 or UTF-32 if the file begins with its mark, as many of Windows do; else UTF-8."""
    encoding = marked_encoding(data) or UTF_8
    if encoding == UTF_8 and b"\0" in data:
        raise InputError(
            f"the file is not UTF-8: byte {data.index(0):,} is zero, as in UTF-16 without its "
            f"mark; save it as UTF-8"
        )
    return encoding


def encoding_of(data: bytes) -> str:
    """Of a page: UTF-8 if it can be read so, whatever it says; else by its mark, or what it says,
    if that is known."""
    if is_utf8(data):
        return UTF_8
    said = KNOWN.get(declared(data[:HEAD].decode("latin-1")), UTF_8)
    return marked_encoding(data) or said


def is_utf8(data: bytes) -> bool:
    """Whether it can be read so."""
    try:
        data.decode(UTF_8)
    except UnicodeDecodeError:
        return False
    return True

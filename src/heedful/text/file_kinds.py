"""Files that are given as text but are something else: recognised by their first bytes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from heedful.text.paths import filter_command
from heedful.text.utf8 import marked_encoding

_TABLE = "Save it as tab-separated text in UTF-8, source in the first column, target in the second"
_PLAIN = "Save it as plain text in UTF-8, one sentence a line"
_UNPACK = "Unpack it, and give a text file that is in it"
_SIGNATURES: Final = {
    b"%PDF-": ("a PDF document", "Copy its text into a text file in UTF-8, one sentence a line"),
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": ("an old Word or Excel file (.doc, .xls)", _TABLE),
    b"{\\rtf": ("an RTF document", _PLAIN),
    b"BZh91AY&SY": ("bzip2 data", "Decompress it first, with bunzip2"),
    b"7z\xbc\xaf\x27\x1c": ("a 7z archive", _UNPACK),
    b"Rar!\x1a\x07": ("a RAR archive", _UNPACK),
    b"PAR1": ("a Parquet table", _TABLE),
}
_ZIP = b"PK\x03\x04"
_ZIP_MEMBER = re.compile(_ZIP + rb".{26}([\w\[\]/.+-]+)", re.DOTALL)
"""The name of a member follows the fixed part of its header; the content if it is not compressed
follows the name."""
_IN_ZIP: Final = {
    b"word/": ("a Word document (.docx)", _PLAIN),
    b"xl/": ("an Excel table (.xlsx)", _TABLE),
    b"ppt/": ("a PowerPoint presentation (.pptx)", _PLAIN),
    b"mimetypeapplication/vnd.oasis.opendocument.text": ("an OpenDocument text (.odt)", _PLAIN),
    b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet": ("a table (.ods)", _TABLE),
    b"mimetypeapplication/epub+zip": ("an EPUB book", _PLAIN),
}
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<[?!][^>]*>\s*)*<(tmx|(?:\w+:)?xliff)\b")
_PRINT_PAIRS = (
    "python3 -X utf8 -c 'import sys, xml.etree.ElementTree as E; "
    '[print(*(" ".join("".join(e.itertext()).split()) for e in pair), sep="\\t") '
    "for unit in E.parse(sys.stdin.buffer).iter({}) for pair in {}]'"
)
_PAIRS_OF: Final = {
    "tmx": _PRINT_PAIRS.format('"tu"', '[unit.iter("seg")]'),
    "xliff": _PRINT_PAIRS.format("", 'zip(unit.findall("{*}source"), unit.findall("{*}target"))'),
}
_FEWEST_SPACES = 0.02  # of the characters of a text, ends of lines included


def what_it_is(head: bytes, path: str | Path) -> str | None:
    """What a file is, if its first bytes are not those of text, and what to do; else None."""
    found = next((kind for start, kind in _SIGNATURES.items() if head.startswith(start)), None)
    if head.startswith(_ZIP):
        found = _kind_of_archive(head)
    if found:
        return f"this is {found[0]}, not text. {found[1]}"
    if markup := _XML.match(head):
        return _pairs_in_xml(markup[1].decode().rpartition(":")[2], path)
    if b"\0" in head and marked_encoding(head) is None:
        return _with_zeros(head, path)
    return None


def _kind_of_archive(head: bytes) -> tuple[str, str]:
    members: list[bytes] = _ZIP_MEMBER.findall(head)
    kinds = (k for start, k in _IN_ZIP.items() if any(m.startswith(start) for m in members))
    return next(kinds, ("a zip archive", _UNPACK))


def _pairs_in_xml(kind: str, path: str | Path) -> str:
    command = filter_command(path, _PAIRS_OF[kind])
    return (
        f"this is XML ({kind.upper()}), not lines of text. Take its pairs out, and give them with "
        f"--pairs: {command}"
    )


def _with_zeros(head: bytes, path: str | Path) -> str:
    """Says whether bytes that are zero come from UTF-16 or from binary data."""
    for encoding in ("utf-16le", "utf-16be"):
        text = head[: len(head) // 2 * 2].decode(encoding, "replace")
        n_spaces = text.count(" ") + text.count("\n")
        if not {"\0", "\ufffd"} & set(text[:-1]) and n_spaces > _FEWEST_SPACES * len(text):
            command = filter_command(path, f"iconv -f {encoding} -t utf-8")
            return f"this looks like {encoding} without its byte order mark. Convert it: {command}"
    line = head[: head.index(0)].count(b"\n") + 1
    command = filter_command(path, r"tr -d '\000'")
    return (
        f"line {line} has a byte that is zero, as binary data has; text in UTF-8 is wanted. If it "
        f"is text all the same, take such bytes out: {command}"
    )

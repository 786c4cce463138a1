"""What to do with a file that is not UTF-8."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from heedful.text.encodings import ENCODINGS, guess_encoding
from heedful.text.languages import language_of_file
from heedful.text.paths import filter_command

SAMPLE = 1 << 16  # bytes of lines that are looked at, at either place
_USUAL = (
    "cp949 if it is Korean, cp932 Japanese, gb18030 or big5 Chinese, cp1251 Cyrillic, cp1250 "
    "Central European, cp1252 Western European"
)
_SHOWN = 3  # encodings, where several may be right


def encoding_advice(path: str | Path, lines: Sequence[bytes], language: str | None = None) -> str:
    """The end of a message about a file that has these lines, not all of which are UTF-8. The
    language is that which the name of the file ends with, unless it is given."""
    marked = [line for line in lines if not line.isascii()]
    if 2 * sum(map(_is_utf8, marked)) > len(marked):
        command = filter_command(path, "iconv -c -f utf-8 -t utf-8")
        return (
            f", but most lines are: the file is damaged, or put together from several. Correct it, "
            f"or leave out what is not UTF-8: {command}"
        )
    columns = [part for line in marked for part in re.split(rb"[\t\r\n]", line)]
    text = b"\n".join(part for part in columns if part and not part.isascii())
    if len(text) > 2 * SAMPLE:
        text = text[: 2 * SAMPLE].rpartition(b"\n")[0]
    guess = guess_encoding(text, language or language_of_file(path))
    if guess.is_too_short:
        command = filter_command(path, "iconv -f ENCODING -t utf-8")
        return (
            f", and too short to say what it is. Convert it from its encoding: {command}, with "
            f"ENCODING = {_USUAL}"
        )
    if not guess.encodings:
        return (
            ", and in no other encoding that is usual for text. Open it with the program that it "
            "comes from, and save it as text in UTF-8"
        )
    first, *others = guess.encodings[:_SHOWN]
    command = filter_command(path, f"iconv -f {first} -t utf-8")
    if guess.is_sure:
        return f"; it looks like {first} ({ENCODINGS[first]}). Convert it first: {command}"
    listed = " or ".join(f"{name} ({ENCODINGS[name]})" for name in (first, *others))
    return (
        f"; it may be {listed}, which is not certain. Convert it, and look whether the text is "
        f"right before you use it: {command}"
    )


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True

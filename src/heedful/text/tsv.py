"""A file of pairs, source TAB target on each line: its columns, and what is no pair in it."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from heedful.errors import InputError
from heedful.text.blocks import BlockReader
from heedful.text.languages import known_code
from heedful.text.lines import open_bytes, open_text
from heedful.text.paths import describe_path, filter_command
from heedful.text.utf8 import marked_encoding

_HEADER_WORDS: Final = frozenset(
    {
        "source", "src", "target", "tgt", "trg", "input", "output", "text", "sentence", "sentences",
        "translation", "translated", "original", "reference", "ref", "question", "answer", "query",
        "response", "language", "lang", "segment", "word", "pronunciation", "spelling", "grapheme",
        "graphemes", "phoneme", "phonemes", "ipa",
    }
)  # fmt: skip
_QUOTED = re.compile(rb'\s*"((?:[^"]|"")*)"\s*')
_NEARLY_ALL = 0.9
_LOOKED_AT = 1000  # lines, to see what is wrong with one
_TAB = "\\t"  # as Python spells it
_SEPARATORS = {",": "commas", ";": "semicolons"}
_AS_TSV = (
    "python3 -X utf8 -c 'import csv, sys; "
    '[print(*(" ".join(cell.split()) for cell in row), sep="\\t") '
    'for row in csv.reader((line.lstrip("\\ufeff") for line in sys.stdin), delimiter="%s") '
    "if row]'"
)
"""Reads what spreadsheets write, and writes it without quotes, one row a line."""


def read_columns(path: str | Path) -> Iterator[tuple[bytes, bytes]]:
    """Blocks of source lines and target lines, as UTF-8. Of a blank line, both sides are blank; a
    header is left out. InputError if a line has not two columns, or if they are quoted."""
    done = 0
    with open_text(path) as stream:
        reader = BlockReader(stream, path)
        while n := reader.n_lines:
            block = reader.take(n)
            if done == 0:
                _check_quotes(path, block)
            if not _has_two_columns(block):
                block = _with_blank_pairs(block)
            if not _has_two_columns(block):
                _check_quotes(path, block)
                raise _wrong_columns(path, block, done)
            if done == 0:
                block = _without_header(block)
            done += n
            if not block:
                continue
            columns = block.replace(b"\t", b"\n").split(b"\n")
            columns.pop()  # behind the last end there is nothing
            yield b"\n".join([*columns[::2], b""]), b"\n".join([*columns[1::2], b""])
    if done == 0:
        raise empty_file(path)


def header_of(path: str | Path) -> str | None:
    """The first line that is not blank, if it names the columns: then it is left out."""
    with open_text(path) as stream:
        line = next((line for line in stream if line.strip()), b"")
    text = line.decode(errors="replace").removeprefix("\ufeff").strip()
    return text if _is_header(text) else None


def empty_file(path: str | Path) -> InputError:
    """What is wrong with a file without lines."""
    return InputError(f"{describe_path(path)}: the file is empty; lines of text are wanted")


def _without_header(block: bytes) -> bytes:
    """The same without its first line that is not blank, if that names the columns."""
    start = len(block) - len(block.lstrip())
    line, _, rest = block[start:].partition(b"\n")
    return block[:start] + rest if _is_header(line.decode(errors="replace")) else block


def _is_header(line: str) -> bool:
    """Whether both columns are but names such as source, text_en, German."""
    columns = [re.findall(r"[^\W\d_]+", column.lower()) for column in line.split("\t")]
    return len(columns) == 2 and columns[0] != columns[1] and all(map(_is_name, columns))


def _is_name(words: list[str]) -> bool:
    languages = [word for word in words if word not in _HEADER_WORDS]
    return bool(words) and len(languages) <= 1 and all(map(known_code, languages))


def _has_two_columns(block: bytes) -> bool:
    """Whether each line has exactly one tab."""
    row = np.frombuffer(block, np.uint8)
    marks = row[(row == ord("\t")) | (row == ord("\n"))]
    return bool(
        len(marks) % 2 == 0 and (marks[::2] == ord("\t")).all() and (marks[1::2] == ord("\n")).all()
    )


def _with_blank_pairs(block: bytes) -> bytes:
    """The same with a tab for each line that is blank."""
    lines = block.split(b"\n")[:-1]
    blank = (b"\t" if not line.decode(errors="replace").strip() else line for line in lines)
    return b"\n".join([*blank, b""])


def _check_quotes(path: str | Path, block: bytes) -> None:
    """InputError for columns as spreadsheets write them: "in quotes, with "" for each inside".

    In text that has quotes itself, these do not hold: nearly all columns with a quote in them are
    such, and either most columns are, or one has a quote inside.
    """
    if b'"' not in block:
        return
    columns = block.replace(b"\t", b"\n").split(b"\n")
    with_quote = [column for column in columns if b'"' in column]
    quoted = [match[1] for column in with_quote if (match := _QUOTED.fullmatch(column))]
    is_most = 2 * len(quoted) > len(columns)
    if len(quoted) >= _NEARLY_ALL * len(with_quote) and (is_most or any(b'"' in q for q in quoted)):
        raise _in_quotes(path)


def _in_quotes(path: str | Path) -> InputError:
    return InputError(
        f"{describe_path(path)}: its columns stand in quotes, as spreadsheets write them. "
        f"Export it without quotes, or convert it: {_conversion(path, _TAB)}"
    )


def _wrong_columns(path: str | Path, block: bytes, done: int) -> InputError:
    lines = block.split(b"\n")[:-1]
    counts = [line.count(b"\t") + 1 for line in lines]
    row = next(row for row, count in enumerate(counts) if count != 2)
    text = [line.decode(errors="replace") for line in lines[row : row + _LOOKED_AT]]
    if _are_quoted_pairs(text):
        return _in_quotes(path)
    message = (
        f"{describe_path(path)}: line {done + row + 1} has {counts[row]:,} column"
        f"{'' if counts[row] == 1 else 's'}; exactly 2 are wanted: source TAB target"
    )
    usual = Counter(count for count, line in zip(counts, lines, strict=True) if line.strip())
    [(columns, _)] = usual.most_common(1)
    if columns > 2:
        message += f". Keep two of them, for example: {filter_command(path, 'cut -f 1,2')}"
    if columns == 1 and (separator := _separator(text)):
        message += (
            f". It looks like CSV, whose columns are separated by {_SEPARATORS[separator]}; "
            f"convert it: {_conversion(path, separator)}"
        )
    return InputError(message)


def _are_quoted_pairs(lines: list[str]) -> bool:
    """Whether there are two columns in each of these lines if their quotes count: then a line with
    more or fewer has an end of line or a tab within quotes."""
    if '"' not in lines[0]:
        return False
    try:
        return all(len(row) == 2 for row in csv.reader(lines, delimiter="\t", strict=True) if row)
    except csv.Error:
        return False


def _separator(lines: list[str]) -> str | None:
    """What separates the columns, if these are lines of CSV: nearly all have as many of them."""
    shares = {separator: _share_of_usual(lines, separator) for separator in _SEPARATORS}
    best = max(shares, key=shares.__getitem__)
    return best if shares[best] >= _NEARLY_ALL else None


def _share_of_usual(lines: list[str], separator: str) -> float:
    """The share of the rows that have as many columns as most; 0 if that is one."""
    try:
        counts = Counter(len(row) for row in csv.reader(lines, delimiter=separator) if row)
    except csv.Error:
        return 0.0
    [(columns, n)] = counts.most_common(1)
    return n / counts.total() if columns > 1 else 0.0


def _conversion(path: str | Path, separator: str) -> str:
    """The command that makes source TAB target of what a spreadsheet wrote."""
    encoding = None
    if Path(path).is_file():
        with open_bytes(path) as stream:
            encoding = marked_encoding(stream.peek())
    recode = [f"iconv -f {encoding} -t utf-8"] if encoding else []
    return filter_command(path, *recode, _AS_TSV % separator)

"""Lines of text from a file, plain or compressed: UTF-8, ending at \\n or \\r\\n only."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NoReturn

import zstandard

from heedful.errors import InputError
from heedful.text.zstd import ZstdReader

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STANDARD_INPUT = "-"
COMPRESSED = (".gz", ".xz", ".zst")

_BUFFER = 1 << 17
BROKEN = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, zstandard.ZstdError)


def read_lines(path: str | Path) -> Iterator[str]:
    """The lines of a file ('-' is standard input), without their ends.

    .gz, .xz and .zst are decompressed on the fly. A byte order mark at the very start is dropped.
    Anything else that Python counts as a line end (a lone \\r, \\x0b, \\x85, \\u2028...) stays
    inside its line: the other side of a parallel corpus has no break there.
    """
    name = describe_path(path)
    number = 0
    try:
        with open_text(path) as lines:
            for number, raw in enumerate(lines, start=1):
                # One end at most: rstrip would also eat a \r that belongs to the line.
                end = -2 if raw.endswith(b"\r\n") else -1 if raw.endswith(b"\n") else None
                line = raw[:end].decode()
                yield line if number > 1 else line.removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name}: line {number}, byte {error.start + 1} (0x{error.object[error.start]:02x}) "
            f"is not UTF-8. Convert the file first, for example: iconv -f latin1 -t utf-8"
        ) from None
    except BROKEN as error:
        raise InputError(
            f"{name}: the compressed data is cut short or damaged after line {number} ({error}). "
            f"Copy or compress the file again"
        ) from None
    except OSError as error:
        raise InputError(f"{name}: reading failed after line {number}: {error}") from None


def tell_fault(path: str | Path) -> NoReturn:
    """Of a file that blocks of lines could not be read from: goes through it line by line, and says
    where it is at fault."""
    for _ in read_lines(path):
        pass
    raise InputError(f"{describe_path(path)}: changed while it was being read. Start again")


def describe_path(path: str | Path) -> str:
    """The path as messages show it."""
    return "standard input" if str(path) == STANDARD_INPUT else str(path)


@contextmanager
def open_stored(path: str | Path) -> Iterator[BinaryIO]:
    """A file's bytes as they are stored, or an InputError that says why there are none."""
    if str(path) == STANDARD_INPUT:
        with _own_standard_input() as stream:
            yield stream
        return
    try:
        stream = Path(path).open("rb", buffering=_BUFFER)  # noqa: SIM115 closed below
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file. Check the path") from None
    except IsADirectoryError:
        raise InputError(f"{path}: this is a folder; a text file is wanted") from None
    except PermissionError:
        raise InputError(f"{path}: no permission to read it. Check its owner and mode") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise InputError(f"{path}: cannot be opened: {error}") from None
    with stream:
        yield stream


@contextmanager
def _own_standard_input() -> Iterator[BinaryIO]:
    """A reader of our own on standard input. Python closes its own one when it ends, and aborts if
    a thread still waits there for a line."""
    try:
        copy = os.dup(sys.stdin.fileno())
    except (OSError, ValueError):  # somebody has put something else in its place
        yield sys.stdin.buffer
        return
    with os.fdopen(copy, "rb", buffering=_BUFFER) as stream:
        yield stream


class _PieceByPiece(io.RawIOBase):
    """Hands on what is decompressed at once. Filling a whole buffer first would lose the lines
    before a fault, and with them its place."""

    def __init__(self, stream: gzip.GzipFile | lzma.LZMAFile) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        return self._stream.readinto1(buffer)


@contextmanager
def open_text(path: str | Path) -> Iterator[BinaryIO]:
    """A file's bytes, decompressed. A BufferedReader finds lines in C, the others in Python."""
    with open_stored(path) as stored:
        match Path(path).suffix.lower():
            case ".gz":
                yield io.BufferedReader(_PieceByPiece(gzip.GzipFile(fileobj=stored)), _BUFFER)
            case ".xz":
                unpacked = lzma.LZMAFile(stored)  # noqa: SIM115 owns nothing
                yield io.BufferedReader(_PieceByPiece(unpacked), _BUFFER)
            case ".zst":
                yield io.BufferedReader(ZstdReader(stored), _BUFFER)
            case _:
                yield stored

"""Lines of text from a file, plain or compressed: UTF-8, or UTF-16 and UTF-32 with a byte order
mark, ending at \\n or \\r\\n only."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn, cast

from heedful.errors import InputError
from heedful.text.compression import BROKEN, BUFFER, PieceByPiece, decompressed
from heedful.text.file_kinds import what_it_is
from heedful.text.not_utf8 import SAMPLE, encoding_advice
from heedful.text.paths import STANDARD_INPUT, describe_path
from heedful.text.utf8 import Utf8Reader


def read_lines(path: str | Path, language: str | None = None) -> Iterator[str]:
    """The lines of a file ('-' is standard input), without their ends.

    .gz, .xz and .zst are decompressed on the fly. A byte order mark at the very start is dropped.
    Anything else that Python counts as a line end (a lone \\r, \\x0b, \\x85, \\u2028...) stays
    inside its line: the other side of a parallel corpus has no break there. The code of its
    language helps to say which encoding it is in, if not UTF-8.
    """
    name = describe_path(path)
    number = 0
    raw = b""
    try:
        with open_text(path) as lines:
            for number, raw in enumerate(lines, start=1):
                # One end at most: rstrip would also eat a \r that belongs to the line.
                end = -2 if raw.endswith(b"\r\n") else -1 if raw.endswith(b"\n") else None
                line = raw[:end].decode()
                yield line if number > 1 else line.removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        if error.encoding != "utf-8":
            raise InputError(
                f"{name}: the {error.encoding} text is cut short or damaged in line {number + 1} "
                f"({error.reason}). Save it again, as UTF-8"
            ) from None
        raise InputError(
            f"{name}: line {number}, byte {error.start + 1} (0x{error.object[error.start]:02x}) "
            f"is not UTF-8{encoding_advice(path, _sample(path, number, raw), language)}"
        ) from None
    except BROKEN as error:
        raise InputError(
            f"{name}: the compressed data is cut short or damaged after line {number} ({error}). "
            f"Copy or compress the file again"
        ) from None
    except OSError as error:
        raise InputError(f"{name}: reading failed after line {number}: {error}") from None


def _sample(path: str | Path, number: int, line: bytes) -> list[bytes]:
    """Lines from the beginning of a file, and from this line on; of what can be read only once,
    this line."""
    if not Path(path).is_file():
        return [line]
    sample = [line]
    with suppress(*BROKEN, OSError), open_text(path) as lines:
        sample += lines.readlines(SAMPLE)
        for _ in range(len(sample), number):
            lines.readline()
        sample += lines.readlines(SAMPLE)
    return sample


def tell_fault(path: str | Path) -> NoReturn:
    """Of a file that blocks of lines could not be read from: goes through it line by line, and says
    where it is at fault."""
    for _ in read_lines(path):
        pass
    raise InputError(f"{describe_path(path)}: changed while it was being read. Start again")


@contextmanager
def open_stored(path: str | Path) -> Iterator[io.BufferedReader]:
    """A file's bytes as they are stored, or an InputError that says why there are none."""
    if str(path) == STANDARD_INPUT:
        with _own_standard_input() as stream:
            yield stream
        return
    try:
        opened = Path(path).open("rb", buffering=BUFFER)  # noqa: SIM115 closed below
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file. Check the path") from None
    except IsADirectoryError:
        raise InputError(f"{path}: this is a folder; a text file is wanted") from None
    except PermissionError:
        raise InputError(f"{path}: no permission to read it. Check its owner and mode") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise InputError(f"{path}: cannot be opened: {error}") from None
    assert isinstance(opened, io.BufferedReader)
    with opened:
        yield opened


@contextmanager
def _own_standard_input() -> Iterator[io.BufferedReader]:
    """A reader of our own on standard input. Python closes its own one when it ends, and aborts if
    a thread still waits there for a line."""
    try:
        copy = os.dup(sys.stdin.fileno())
    except (OSError, ValueError):  # somebody has put something else in its place
        yield io.BufferedReader(PieceByPiece(cast(io.BufferedIOBase, sys.stdin.buffer)), BUFFER)
        return
    with os.fdopen(copy, "rb", buffering=BUFFER) as stream:
        assert isinstance(stream, io.BufferedReader)
        yield stream


@contextmanager
def open_bytes(path: str | Path) -> Iterator[io.BufferedReader]:
    """A file's bytes, decompressed."""
    with open_stored(path) as stored:
        try:
            stream = decompressed(stored, path)
        except OSError as error:
            raise InputError(f"{describe_path(path)}: cannot be read: {error}") from None
        yield stream


@contextmanager
def open_text(path: str | Path) -> Iterator[io.BufferedReader]:
    """A file's text, decompressed, as UTF-8. Reading it raises an InputError if the first bytes are
    not those of text; bytes further on may still be no UTF-8."""

    def check(head: bytes) -> None:
        if fault := what_it_is(head, path):
            raise InputError(f"{describe_path(path)}: {fault}")

    with open_bytes(path) as stream:
        yield io.BufferedReader(Utf8Reader(stream, check), BUFFER)

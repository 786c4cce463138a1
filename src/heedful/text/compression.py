"""Compressed text files: recognised by their first bytes or by the ending of their name."""

from __future__ import annotations

import gzip
import io
import lzma
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

import zstandard

from heedful.text.zstd import ZstdReader

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

COMPRESSED: Final = {".gz": "gzip -dc", ".xz": "xz -dc", ".zst": "zstd -dc"}
"""Endings of names, and the programs that decompress such files."""
BROKEN = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, zstandard.ZstdError)
"""What decompressing raises if the data is cut short or damaged."""
BUFFER = 1 << 17

_SIGNATURES: Final = {
    b"\x1f\x8b": ".gz",
    b"\xfd7zXZ\0": ".xz",
    b"\x28\xb5\x2f\xfd": ".zst",
}


class PieceByPiece(io.RawIOBase):
    """Returns what a stream has at once, and leaves it open. Filling a whole buffer first would
    lose the lines before a fault, and with them its place."""

    def __init__(self, stream: io.BufferedIOBase) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        return self._stream.readinto1(buffer)


def compression_of(path: str | Path, head: bytes) -> str | None:
    """The ending of files that are compressed as this one is; None if it is not compressed."""
    ending = Path(path).suffix.lower()
    if ending in COMPRESSED:
        return ending
    return next((kind for start, kind in _SIGNATURES.items() if head.startswith(start)), None)


def decompressed(stored: io.BufferedReader, path: str | Path) -> io.BufferedReader:
    """The bytes of a file, decompressed if they are compressed. A BufferedReader finds lines in C,
    the readers of compressed files find them in Python."""
    match compression_of(path, stored.peek(1)):
        case ".gz":
            unpacked = gzip.GzipFile(fileobj=stored)
            return io.BufferedReader(PieceByPiece(unpacked), BUFFER)
        case ".xz":
            return io.BufferedReader(PieceByPiece(lzma.LZMAFile(stored)), BUFFER)
        case ".zst":
            return io.BufferedReader(ZstdReader(stored), BUFFER)
        case _:
            return stored

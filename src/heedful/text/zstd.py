"""Reading .zst files so that a file cut short is noticed."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, BinaryIO

import zstandard

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_CHUNK = 1 << 17


class ZstdReader(io.RawIOBase):
    """The decompressed bytes of a zstd stream of one frame or several.

    zstandard's own stream_reader takes the end of a truncated file for the end of the text, so
    frames are followed here: the input must not end inside one.
    """

    def __init__(self, stored: BinaryIO) -> None:
        self._stored = stored
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._inside = False
        self._compressed = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        out = memoryview(buffer).cast("B")
        while not self._ready:
            if not self._compressed:
                self._compressed = self._stored.read(_CHUNK)
                if not self._compressed:
                    if self._inside:
                        raise EOFError("the file ends inside a zstd frame")
                    return 0
            self._decompress()
        n = min(len(out), len(self._ready))
        out[:n] = self._ready[:n]
        self._ready = self._ready[n:]
        return n

    def _decompress(self) -> None:
        self._ready = memoryview(self._frame.decompress(self._compressed))
        self._inside = not self._frame.eof
        self._compressed = self._frame.unused_data if self._frame.eof else b""
        if self._frame.eof:
            self._frame = zstandard.ZstdDecompressor().decompressobj()

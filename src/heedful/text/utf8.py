"""Any Unicode text as UTF-8: UTF-16 and UTF-32 are recognised by their byte order mark."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BYTE_ORDER_MARKS: Final = {
    codecs.BOM_UTF32_LE: "utf-32le",  # before UTF-16, whose mark is the beginning of this one
    codecs.BOM_UTF32_BE: "utf-32be",
    codecs.BOM_UTF16_LE: "utf-16le",
    codecs.BOM_UTF16_BE: "utf-16be",
}
"""Encodings by names that both Python and iconv know."""
_CHUNK = 1 << 17

Check = Callable[[bytes], None]
"""Gets the first bytes of a file, and raises an error if they are not those of text."""


def marked_encoding(data: bytes) -> str | None:
    """The encoding whose byte order mark the data begins with; None for UTF-8 or without a mark."""
    return next((name for mark, name in BYTE_ORDER_MARKS.items() if data.startswith(mark)), None)


class Utf8Reader(io.RawIOBase):
    """The bytes of a stream; UTF-16 and UTF-32 are converted on the fly.

    Returns what the stream has at once: filling a buffer first would lose the lines before a fault,
    and keep those waiting who type. `check` sees the first bytes as they are stored, and if they
    are converted, as UTF-8 again.
    """

    def __init__(self, stream: io.BufferedReader, check: Check) -> None:
        self._stream, self._check = stream, check
        self._has_begun = False
        self._decoder: codecs.IncrementalDecoder | None = None
        self._ready = b""
        self._fault: UnicodeDecodeError | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        if not self._has_begun:
            self._begin()
        if self._decoder is None:
            return self._stream.readinto1(buffer)
        out = memoryview(buffer).cast("B")
        while not self._ready and self._fault is None:
            chunk = self._stream.read1(_CHUNK)
            self._ready = self._converted(chunk)
            if not chunk:
                break
        if self._fault is not None and not self._ready:
            raise self._fault
        n = min(len(out), len(self._ready))
        out[:n] = self._ready[:n]
        self._ready = self._ready[n:]
        return n

    def _begin(self) -> None:
        head = self._stream.peek()
        self._check(head)
        self._has_begun = True
        if encoding := marked_encoding(head):
            self._decoder = codecs.getincrementaldecoder(encoding)()
            self._ready = self._converted(self._stream.read1(_CHUNK))
            self._check(self._ready)

    def _converted(self, chunk: bytes) -> bytes:
        """As UTF-8. What comes before a fault is returned; the fault is kept for the next call."""
        assert self._decoder is not None
        try:
            return self._decoder.decode(chunk, final=not chunk).encode()
        except UnicodeDecodeError as fault:
            self._fault = fault
            return fault.object[: fault.start].decode(fault.encoding).encode()

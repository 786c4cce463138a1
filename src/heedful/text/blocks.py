"""A file of lines, many lines at a time: Python then has little to do for each of them."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import numpy as np

from heedful.text.compression import BROKEN
from heedful.text.lines import tell_fault

SIZE = 1 << 20
"""Bytes held at a time: what a processor gets at once. Changing it changes no result."""

_BYTE_ORDER_MARK = "\ufeff".encode()
_LINE_END = ord("\n")


class BlockReader:
    """Hands out whole lines in blocks of bytes; each line ends with \\n, whatever its end was.

    The rules are those of `read_lines`.
    """

    def __init__(self, stream: BinaryIO, path: str | Path) -> None:
        self._stream, self._path = stream, path
        self._held, self._ends = b"", np.zeros(0, np.intp)
        self._has_begun = self._has_ended = False
        self._fill()

    @property
    def n_lines(self) -> int:
        """Lines that `take` can hand out now; none at the end of the file."""
        return len(self._ends)

    def take(self, n: int) -> bytes:
        """The next n lines."""
        cut = int(self._ends[n - 1]) + 1 if n else 0
        block, self._held = self._held[:cut], self._held[cut:]
        self._fill()
        return block

    def _fill(self) -> None:
        """Reads on until enough is held, at least one line."""
        while not self._has_ended and (len(self._held) < SIZE or b"\n" not in self._held):
            self._extend()
        self._ends = np.flatnonzero(np.frombuffer(self._held, np.uint8) == _LINE_END)

    def _extend(self) -> None:
        more = self._read(SIZE)
        while more.endswith(b"\r") and (one := self._read(1)):  # its \n may be still to come
            more += one
        self._has_ended = not more
        if not self._has_begun:
            more, self._has_begun = more.removeprefix(_BYTE_ORDER_MARK), True
        self._held += more.replace(b"\r\n", b"\n") if b"\r" in more else more
        if self._has_ended and self._held and not self._held.endswith(b"\n"):
            self._held += b"\n"

    def _read(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except (*BROKEN, OSError, UnicodeDecodeError):
            tell_fault(self._path)

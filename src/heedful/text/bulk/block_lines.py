"""The lines of a block of bytes, found without cutting them all out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heedful.text.tidy import tidy

LAST_SPACE = 0x3000  # no white space comes later in Unicode

_MAY_BE_SPACE = np.zeros(256, np.bool_)
_MAY_BE_SPACE[[chr(c).encode()[0] for c in range(LAST_SPACE + 1) if chr(c).isspace()]] = True
"""By the first byte of a character; a line's end is one of them."""


class BlockLines:
    """Of UTF-8 in which each line ends with \\n."""

    def __init__(self, block: bytes) -> None:
        self._block = block
        row = np.frombuffer(block, np.uint8)
        self._starts = np.concatenate((np.zeros(1, np.intp), np.flatnonzero(row == ord("\n")) + 1))
        self._may_be_blank = np.flatnonzero(_MAY_BE_SPACE[row[self._starts[:-1]]])

    def __len__(self) -> int:
        return len(self._starts) - 1

    def is_blank(self) -> NDArray[np.bool_]:
        """For each line, whether nothing is left of it when it is tidied."""
        blank = np.zeros(len(self), np.bool_)
        for number in self._may_be_blank.tolist():
            blank[number] = not self.tidied(number)
        return blank

    def tidied(self, number: int) -> str:
        """One line, as it enters the model."""
        return tidy(self._block[self._starts[number] : self._starts[number + 1]].decode())

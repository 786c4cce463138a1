"""Lines as they enter the model, and a number by which a line is known again."""

from __future__ import annotations

import hashlib
import unicodedata

import numpy as np
from numpy.typing import NDArray


def tidy(line: str) -> str:
    """As every line enters the model: NFC, without white space round it."""
    return unicodedata.normalize("NFC", line).strip()


def tidy_lines(text: str) -> list[str]:
    """`tidy` for many lines that each end with \\n.

    NFC joins nothing with a line's end, so it is the same for all of them at once.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    lines = list(map(str.strip, text.split("\n")))
    lines.pop()  # behind the last end there is nothing
    return lines


def tidy_pairs(source: str, target: str) -> tuple[list[str], list[str]]:
    """The lines of two texts, without the pairs of which a side is blank."""
    sources, targets = tidy_lines(source), tidy_lines(target)
    if "" in sources or "" in targets:
        both = [(s, t) for s, t in zip(sources, targets, strict=True) if s and t]
        return [s for s, _ in both], [t for _, t in both]
    return sources, targets


def line_hashes(lines: list[str]) -> NDArray[np.uint64]:
    """One number a line, the same for the same text: to find lines again without keeping them."""
    digests = [hashlib.blake2b(line.encode(), digest_size=8).digest() for line in lines]
    return np.frombuffer(b"".join(digests), dtype=np.uint64)

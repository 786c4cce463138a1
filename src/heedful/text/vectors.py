"""Word vectors that others have learnt: word2vec's, GloVe's and fastText's files. Needs no torch.

Text: a word and its numbers on each line; word2vec and fastText say first how many lines and
numbers there are, GloVe does not. Binary (.bin, word2vec's): that first line, then for each word
its bytes, a space, and its numbers as little-endian floats. Either may be compressed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from heedful.errors import InputError
from heedful.text.compression import BROKEN, COMPRESSED
from heedful.text.lines import open_bytes, read_lines
from heedful.text.special import FIRST_WORD

WIDEST = 100_000  # numbers of a vector: beyond it, the file is none of vectors either
_NUMERALS = " +-.0123456789eE"
LONGEST_WORD = 10_000  # bytes: beyond it, the file is no file of vectors

WATCHED = 10_000  # vectors between two signs of life

Vector = NDArray[np.float32]
Watch = Callable[[int], None]


@dataclass(frozen=True)
class WordVectors:
    """Those of a vocabulary's words that a file has."""

    path: Path
    ids: NDArray[np.int64]  # (n,) which of the vocabulary
    rows: NDArray[np.float32]  # (n, width)
    wanted: int
    """Words of the vocabulary, marks aside."""

    @property
    def width(self) -> int:
        return int(self.rows.shape[1])

    def describe(self) -> str:
        """How many words it covers."""
        share = 100 * len(self.ids) / max(1, self.wanted)
        return (
            f"{self.path}: vectors of {self.width} numbers for {len(self.ids):,} of "
            f"{self.wanted:,} words ({share:.1f} %); the others begin at random"
        )


def read_vectors(path: Path, words: Sequence[str], watch: Watch = lambda n: None) -> WordVectors:
    """The vectors of a vocabulary's words, by the order of their ids. A word that is not there
    takes the vector of its small letters, if there is one. `watch` is told how many are read."""
    wanted = {word: n for n, word in enumerate(words) if n >= FIRST_WORD}
    sought = wanted.keys() | {word.lower() for word in wanted}
    found: dict[str, Vector] = {}
    number = 0
    for number, (word, vector) in enumerate(_vectors(path, sought), start=1):
        if vector is not None:
            found.setdefault(word, vector)
        if number % WATCHED == 0:
            watch(number)
    if number == 0:
        raise InputError(
            f"{path} has no vectors in it: a word and its numbers on a line are wanted"
        )
    pairs = [(n, found.get(word, found.get(word.lower()))) for word, n in wanted.items()]
    there = [(n, vector) for n, vector in pairs if vector is not None]
    if not there:
        raise InputError(
            f"{path} has a vector for none of the {len(wanted):,} words of the vocabulary: is it "
            f"of another language?"
        )
    ids, rows = zip(*there, strict=True)
    return WordVectors(path, np.array(ids), np.stack(rows), len(wanted))


def _vectors(path: Path, sought: Collection[str]) -> Iterator[tuple[str, Vector | None]]:
    """Each word of the file; its vector if it is sought."""
    name = path.name.lower()
    for ending in COMPRESSED:
        name = name.removesuffix(ending)
    return _binary(path, sought) if name.endswith(".bin") else _text(path, sought)


def _text(path: Path, sought: Collection[str]) -> Iterator[tuple[str, Vector | None]]:
    width, promised, there = 0, None, 0
    for number, line in enumerate(read_lines(path), start=1):
        parts = line.rstrip().split(" ")
        if number == 1 and len(parts) == 2 and all(part.isdigit() for part in parts):
            promised, width = (int(part) for part in parts)
            continue
        width = width or len(parts) - 1
        more = parts[1:-width]  # some words have spaces inside; some lines too many numbers
        if len(parts) <= width or width < 1 or (more and all(map(_is_number, more))):
            raise InputError(
                f"{path}: line {number} has {len(parts) - 1} numbers behind its word, "
                f"{max(width, 1)} are wanted"
            )
        there += 1
        word = " ".join(parts[:-width])
        if word not in sought:
            if line.rstrip()[len(word) :].strip(_NUMERALS):  # nobody wants it, but it is broken
                raise InputError(f"{path}: line {number}, {word!r}: what follows are no numbers")
            yield word, None
            continue
        try:
            with np.errstate(over="ignore"):  # what is too large is told below, with its line
                vector = np.array(parts[-width:], dtype=np.float32)
        except ValueError as error:
            raise InputError(f"{path}: line {number}, {word!r}: {error}") from None
        yield word, _finite(vector, path, f"line {number}, {word!r}")
    if promised is not None and there < promised:
        raise InputError(
            f"{path}: cut short after {there:,} vectors, its first line promises {promised:,}"
        )


def _binary(path: Path, sought: Collection[str]) -> Iterator[tuple[str, Vector | None]]:
    number = 0
    try:
        with open_bytes(path) as file:
            n, width = _head(path, file.readline(LONGEST_WORD))
            for number in range(1, n + 1):
                word, raw = _word(file), file.read(4 * width)
                if word is None or len(raw) < 4 * width:
                    raise InputError(f"{path}: cut short at vector {number:,} of {n:,}")
                if word not in sought:
                    yield word, None
                    continue
                vector = np.frombuffer(raw, dtype="<f4").astype(np.float32)
                yield word, _finite(vector, path, f"vector {number:,}, {word!r}")
    except BROKEN as error:
        raise InputError(
            f"{path}: the compressed data is cut short or damaged at vector {number:,} ({error})"
        ) from None


def _head(path: Path, line: bytes) -> tuple[int, int]:
    """How many vectors there are, and of how many numbers."""
    try:
        n, width = (int(part) for part in line.split())
    except ValueError:
        n = width = 0
    if n < 1 or not 1 <= width <= WIDEST:
        raise InputError(
            f"{path}: its first line must say how many vectors of how many numbers there are, at "
            f"most {WIDEST:,}; is it word2vec's binary format?"
        )
    return n, width


def _word(file: BinaryIO) -> str | None:
    """Up to a space; None at the end of the file."""
    letters = bytearray()
    while len(letters) < LONGEST_WORD:
        letter = file.read(1)
        if not letter:
            return None
        if letter == b" ":
            return letters.decode(errors="replace").lstrip("\n")
        letters += letter
    return None


def _is_number(part: str) -> bool:
    try:
        float(part)
    except ValueError:
        return False
    return True


def _finite(vector: Vector, path: Path, place: str) -> Vector:
    if not np.isfinite(vector).all():
        raise InputError(f"{path}: {place}: a number is infinite or none at all")
    return vector

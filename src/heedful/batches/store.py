"""Token ids in memory-mapped files: a corpus of any size costs no memory but that of its lengths.

Each side of `NAME` is two files: `NAME.SIDE.ids`, all ids in a row, and `NAME.SIDE.ends`, where
each sentence ends in it (int64).
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from heedful.text.bulk.packed import IdType, Packed, id_type

SIDES = ("source", "target")
PART = 1 << 20


class _SideWriter:
    def __init__(self, stem: Path) -> None:
        self._ids: BinaryIO = stem.with_name(stem.name + ".ids").open("wb")
        self._ends: BinaryIO = stem.with_name(stem.name + ".ends").open("wb")
        self._end = 0

    def extend(self, sentences: Packed) -> None:
        ends = self._end + sentences.lengths.cumsum(dtype=np.int64)
        sentences.ids.tofile(self._ids)
        ends.tofile(self._ends)
        self._end = int(ends[-1]) if len(ends) else self._end

    def close(self) -> None:
        self._ids.close()
        self._ends.close()


class StoreWriter:
    """Writes the two sides, some sentences at a time. Whoever calls it makes the folder atomic."""

    def __init__(self, folder: Path, name: str) -> None:
        self._sides = [_SideWriter(folder / f"{name}.{side}") for side in SIDES]

    def extend(self, sources: Packed, targets: Packed) -> None:
        """Appends as many sources as targets."""
        self._sides[0].extend(sources)
        self._sides[1].extend(targets)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *fault: object) -> None:
        for side in self._sides:
            side.close()


class _Side:
    def __init__(self, stem: Path, dtype: IdType) -> None:
        self._ids = _Mapped(stem.with_name(stem.name + ".ids"), dtype)
        self._ends = _Mapped(stem.with_name(stem.name + ".ends"), np.int64)
        self.lengths = _differences(self._ends.row)
        end = int(self._ends.row[-1]) if len(self.lengths) else 0
        if end != len(self._ids.row):
            raise ValueError(f"{stem}: {len(self._ids.row)} ids, but the sentences end at {end}")
        self._ends.let_go()

    def __getitem__(self, row: int) -> NDArray[np.integer]:
        end = int(self._ends.row[row])
        return self._ids.row[end - int(self.lengths[row]) : end]

    def let_go(self) -> None:
        self._ids.let_go()
        self._ends.let_go()


class _Mapped:
    """A file of numbers, read where it lies."""

    def __init__(self, path: Path, dtype: IdType | type[np.int64]) -> None:
        self._map: mmap.mmap | None = None
        self.row: NDArray[np.integer] = np.zeros(0, dtype)
        if path.stat().st_size:  # nothing cannot be mapped
            with path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self.row = np.frombuffer(self._map, dtype)

    def let_go(self) -> None:
        if self._map is not None and hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)


def _differences(ends: NDArray[np.integer]) -> NDArray[np.int32]:
    """How long each sentence is, from where each ends; a part at a time, to save memory."""
    lengths = np.empty(len(ends), np.int32)
    for at in range(0, len(ends), PART):
        before = ends[at - 1] if at else 0
        lengths[at : at + PART] = np.diff(ends[at : at + PART], prepend=before)
    return lengths


class PairStore:
    """Pairs of id sequences, read where they lie on disk."""

    def __init__(self, folder: Path, name: str, vocabularies: tuple[int, int]) -> None:
        self.source, self.target = (
            _Side(folder / f"{name}.{side}", id_type(vocabulary))
            for side, vocabulary in zip(SIDES, vocabularies, strict=True)
        )
        if len(self.source.lengths) != len(self.target.lengths):
            raise ValueError(
                f"{folder / name}: {len(self.source.lengths)} sources, "
                f"{len(self.target.lengths)} targets"
            )

    def __len__(self) -> int:
        return len(self.source.lengths)

    def pairs(
        self, rows: Iterable[int]
    ) -> tuple[list[NDArray[np.integer]], list[NDArray[np.integer]]]:
        """The sources and the targets of these rows."""
        rows = list(rows)
        return [self.source[row] for row in rows], [self.target[row] for row in rows]

    def let_go(self) -> None:
        """Hands the pages read so far back to the system; they are read again when wanted."""
        self.source.let_go()
        self.target.let_go()

"""Token ids in memory-mapped files: a corpus of any size costs no memory but that of its lengths.

Each side of `NAME` is two files: `NAME.SIDE.ids`, all ids in a row, and `NAME.SIDE.ends`, where
each sentence ends in it (int64).
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from heedful.text.packed import IdType, Packed, id_type

SIDES = ("source", "target")


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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        for side in self._sides:
            side.close()


class _Side:
    def __init__(self, stem: Path, dtype: IdType) -> None:
        self._mapped, self._ids = _map(stem.with_name(stem.name + ".ids"), dtype)
        ends = np.fromfile(stem.with_name(stem.name + ".ends"), np.int64)
        self._starts = np.concatenate((np.zeros(1, np.int64), ends))
        self.lengths: NDArray[np.int32] = np.diff(self._starts).astype(np.int32)
        if len(ends) and int(ends[-1]) != len(self._ids):
            raise ValueError(f"{stem}: {len(self._ids)} ids, but the sentences end at {ends[-1]}")

    def __getitem__(self, row: int) -> NDArray[np.integer]:
        return self._ids[self._starts[row] : self._starts[row + 1]]

    def let_go(self) -> None:
        if self._mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
            self._mapped.madvise(mmap.MADV_DONTNEED)


def _map(path: Path, dtype: IdType) -> tuple[mmap.mmap | None, NDArray[np.integer]]:
    if path.stat().st_size == 0:  # nothing cannot be mapped
        return None, np.zeros(0, dtype)
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return mapped, np.frombuffer(mapped, dtype)


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

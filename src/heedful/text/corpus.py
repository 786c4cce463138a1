"""Parallel text: two files line by line, or one file of source TAB target."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

from heedful.errors import InputError
from heedful.text.lines import STANDARD_INPUT, describe_path, open_stored, read_lines

Pair = tuple[str, str]


@dataclass(frozen=True)
class ParallelCorpus:
    """Pairs of source and target lines; it can be walked through any number of times.

    Give `source` and `target`, or `pairs` alone. '-' is standard input, see `spool`.
    """

    source: str | Path | None = None
    target: str | Path | None = None
    pairs: str | Path | None = None

    def __post_init__(self) -> None:
        given = [name for name in ("source", "target", "pairs") if getattr(self, name) is not None]
        if given not in (["source", "target"], ["pairs"]):
            raise InputError(
                f"a corpus is two files, source and target, or one file of pairs; "
                f"got {' and '.join(given) or 'none of them'}"
            )
        if str(self.source) == str(self.target) == STANDARD_INPUT:
            raise InputError(
                "source and target are both '-', but standard input holds one file only. "
                "Name a file for one of them, or give pairs (source TAB target) as '-'"
            )

    def __iter__(self) -> Iterator[Pair]:
        """The pairs in order; the faults of the corpus are told where they are met."""
        has_text = False
        for pair in self._columns() if self.pairs is not None else self._side_by_side():
            has_text = has_text or not (pair[0].isspace() or pair[1].isspace() or "" in pair)
            yield pair
        if not has_text:
            raise InputError(
                f"{self.describe()}: no pair has text on both sides, every line is blank"
            )

    def _columns(self) -> Iterator[Pair]:
        path = self._paths()["pairs"]
        number = 0
        for number, line in enumerate(read_lines(path), start=1):
            columns = line.split("\t")
            if len(columns) != 2:
                raise InputError(
                    f"{describe_path(path)}: line {number} has {_count(len(columns), 'column')}; "
                    f"exactly 2 are wanted: source TAB target"
                )
            yield columns[0], columns[1]
        if number == 0:
            raise _empty(path)

    def _side_by_side(self) -> Iterator[Pair]:
        paths = self._paths()
        counts = [0, 0]
        for pair in zip_longest(read_lines(paths["source"]), read_lines(paths["target"])):
            source, target = pair
            if source is not None and target is not None and counts[0] == counts[1]:
                yield source, target
            counts[0] += source is not None
            counts[1] += target is not None
        for n_lines, path in zip(counts, paths.values(), strict=True):
            if n_lines == 0:
                raise _empty(path)
        if counts[0] != counts[1]:
            raise InputError(
                f"{self.describe()} are of unequal length: {_count(counts[0], 'line')} and "
                f"{_count(counts[1], 'line')}. Line n of one must translate line n of the other"
            )

    def check_readable(self) -> None:
        """Opens each file and reads its first line, to fail early rather than late.

        What can be read only once is left alone.
        """
        for path in self._paths().values():
            if not _can_be_read_once_only(path) and next(read_lines(path), None) is None:
                raise _empty(path)

    def spool(self, folder: Path) -> ParallelCorpus:
        """This corpus with what can be read only once (standard input, a pipe such as the shell's
        <(command)) copied into `folder`; the corpus itself if there is no such part."""
        copies: dict[str, str | Path | None] = {}
        for name, path in self._paths().items():
            if _can_be_read_once_only(path):
                copy = folder / f"{name}-spooled.txt"
                folder.mkdir(parents=True, exist_ok=True)
                with open_stored(path) as stream, copy.open("wb") as out:
                    shutil.copyfileobj(stream, out, 1 << 20)
                copies[name] = copy
        return replace(self, **copies) if copies else self

    def fingerprint(self) -> str:
        """Changes when a file is moved, edited or replaced: from path, size and time, unread."""
        parts = []
        for name, path in self._paths().items():
            if _can_be_read_once_only(path):
                raise InputError(f"{describe_path(path)}: has no fingerprint. Spool it first")
            with open_stored(path):  # a missing file gets its usual message
                stat = Path(path).stat()
            parts.append(f"{name}\0{Path(path).resolve()}\0{stat.st_size}\0{stat.st_mtime_ns}")
        return hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()

    def can_be_read_again(self) -> bool:
        """Not so standard input, or a pipe."""
        return not any(_can_be_read_once_only(path) for path in self._paths().values())

    def describe(self) -> str:
        """The names of the files, as messages show them."""
        return " and ".join(describe_path(path) for path in self._paths().values())

    def _paths(self) -> dict[str, str | Path]:
        names = {"source": self.source, "target": self.target, "pairs": self.pairs}
        return {name: path for name, path in names.items() if path is not None}


def _can_be_read_once_only(path: str | Path) -> bool:
    return str(path) == STANDARD_INPUT or Path(path).is_fifo()


def _empty(path: str | Path) -> InputError:
    return InputError(f"{describe_path(path)}: the file is empty; lines of text are wanted")


def _count(n: int, thing: str) -> str:
    return f"{n:,} {thing}" + ("" if n == 1 else "s")

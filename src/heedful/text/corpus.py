"""Parallel text: two files line by line, or one file of source TAB target."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from heedful.errors import InputError
from heedful.text.blocks import BlockReader
from heedful.text.lines import open_stored, open_text, read_lines, tell_fault
from heedful.text.paths import FROM_INPUT, FROM_PIPE, STANDARD_INPUT, describe_path
from heedful.text.tsv import empty_file, header_of, read_columns

Pair = tuple[str, str]
Block = tuple[bytes, bytes]
"""Many pairs: the lines of either side, as UTF-8, each with \\n at its end."""


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
        if self.source and self.target and _are_same_file(self.source, self.target):
            raise InputError(
                f"both sides of the text are the same file, {self.source}: the other side must "
                f"hold the translations of its lines (or be a copy of it, to learn to copy)"
            )

    def __iter__(self) -> Iterator[Pair]:
        """The pairs in order; the faults of the corpus are told where they are met."""
        has_text = False
        for block in self.blocks():
            sources, targets = (side.split("\n")[:-1] for side in self.decoded(block))
            for source, target in zip(sources, targets, strict=True):
                has_text = has_text or bool(source.strip() and target.strip())
                yield source, target
        if not has_text:
            raise self.no_text()

    def blocks(self) -> Iterator[Block]:
        """The pairs in order, many at a time: the same blocks each time."""
        return read_columns(self.pairs) if self.pairs is not None else self._side_by_side()

    def decoded(self, block: Block) -> tuple[str, str]:
        """The text of a block; what is not UTF-8 is told with its line and byte."""
        paths = list(self._paths().values())
        sides = []
        for path, side in zip((paths[0], paths[-1]), block, strict=True):
            try:
                sides.append(side.decode())
            except UnicodeDecodeError:
                tell_fault(path)
        return sides[0], sides[1]

    def header(self) -> str | None:
        """Describes the first line of the pairs if it names the columns: then it is left out."""
        line = header_of(self.pairs) if self.pairs is not None else None
        return line and f"the first line of {self.describe()} ({line.replace(chr(9), ' TAB ')})"

    def no_text(self) -> InputError:
        """What is wrong with a corpus of blank lines."""
        return InputError(f"{self.describe()}: no pair has text on both sides, every line is blank")

    def _side_by_side(self) -> Iterator[Block]:
        paths = self._paths()
        with open_text(paths["source"]) as source, open_text(paths["target"]) as target:
            sides = BlockReader(source, paths["source"]), BlockReader(target, paths["target"])
            for side, path in zip(sides, paths.values(), strict=True):
                if side.n_lines == 0:
                    raise empty_file(path)
            done = 0
            while n := min(side.n_lines for side in sides):
                yield sides[0].take(n), sides[1].take(n)
                done += n
            counts = [done + _n_left(side) for side in sides]
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
                raise empty_file(path)

    def spool(self, folder: Path) -> ParallelCorpus:
        """This corpus with what can be read only once (standard input, a pipe such as the shell's
        <(command)) copied into `folder`; the corpus itself if there is no such part."""
        copies: dict[str, str | Path | None] = {}
        for name, path in self._paths().items():
            if _can_be_read_once_only(path):
                is_input = str(path) == STANDARD_INPUT
                copy = folder / (name + (FROM_INPUT if is_input else FROM_PIPE))
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

    def stored_bytes(self) -> int:
        """The size of the files as they lie on disk; 0 for standard input and pipes."""
        sizes = [Path(p).stat().st_size for p in self._paths().values() if str(p) != STANDARD_INPUT]
        return sum(sizes)

    def reads_standard_input(self) -> bool:
        """Whether a part of it is '-'."""
        return any(str(path) == STANDARD_INPUT for path in self._paths().values())

    def can_be_read_again(self) -> bool:
        """Not so standard input, or a pipe."""
        return not any(_can_be_read_once_only(path) for path in self._paths().values())

    def describe(self) -> str:
        """The names of the files, as messages show them."""
        return " and ".join(describe_path(path) for path in self._paths().values())

    def _paths(self) -> dict[str, str | Path]:
        names = {"source": self.source, "target": self.target, "pairs": self.pairs}
        return {name: path for name, path in names.items() if path is not None}


def _are_same_file(one: str | Path, other: str | Path) -> bool:
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):  # a file that is missing gets its usual message later
        return False


def _can_be_read_once_only(path: str | Path) -> bool:
    return str(path) == STANDARD_INPUT or Path(path).is_fifo()


def _n_left(side: BlockReader) -> int:
    """The lines of what has not been read yet."""
    n_lines = 0
    while n := side.n_lines:
        side.take(n)
        n_lines += n
    return n_lines


def _count(n: int, thing: str) -> str:
    return f"{n:,} {thing}" + ("" if n == 1 else "s")

"""How messages name the files that text comes from, and the commands that convert them."""

from __future__ import annotations

import shlex
from pathlib import Path

from heedful.text.compression import COMPRESSED, compression_of

STANDARD_INPUT = "-"
FROM_INPUT, FROM_PIPE = " from standard input", " from a pipe"
"""How the names of files end that such text was copied to."""


def describe_path(path: str | Path) -> str:
    """The path as messages show it."""
    if str(path) == STANDARD_INPUT:
        return "standard input"
    return Path(path).name if _is_copy(path) else str(path)


def _is_copy(path: str | Path) -> bool:
    return Path(path).name.endswith((FROM_INPUT, FROM_PIPE))


def filter_command(path: str | Path, *commands: str) -> str:
    """A shell command that sends a file, decompressed if need be, through others that read standard
    input; the user chooses a name for NEW."""
    if _is_copy(path) or not Path(path).is_file():
        return " | ".join(["...", *commands, "heedful ..."])
    name = shlex.quote(str(path))
    with Path(path).open("rb") as file:
        kind = compression_of(path, file.read(8))
    if kind:
        return " | ".join([f"{COMPRESSED[kind]} {name}", *commands]) + " > NEW"
    first, *others = commands
    return " | ".join([f"{first} < {name}", *others]) + " > NEW"

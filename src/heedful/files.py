"""Writing so that a crash leaves a file as it was, or as it shall be; never in between."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from heedful.errors import ModelFolderError

_MASK = os.umask(0o077)  # it can only be read by setting it: strict, for whoever writes just now
os.umask(_MASK)
USUAL_MODE = 0o666 & ~_MASK
"""The permissions that a new file gets."""


def sync(path: Path) -> None:
    """Waits until a file, or a folder's list of files, is on the disk."""
    if os.name == "nt":  # there only open files can be waited for
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A place beside `path` to write to, moved there at the end; what fails leaves nothing."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def lock(file: IO[str], *, wait: bool) -> None:
    """Locks an open file until it is closed, or its process ends, however it does.

    Without waiting, BlockingIOError if another has it. Windows has no such locks: nothing happens.
    """
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Waits until no other process is inside this with the same path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    place = path.with_name(f".{path.name}.lock")
    while True:
        with place.open("a") as file:
            lock(file, wait=True)
            if place.exists() and place.stat().st_ino == os.fstat(file.fileno()).st_ino:
                try:
                    yield
                finally:
                    with suppress(OSError):  # on Windows an open file cannot be taken away
                        place.unlink()
                return
        # Whoever had it before took the file away: what we hold locks nobody out.


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """An empty folder beside `path`, moved there at the end; what fails leaves nothing."""
    partial = path.with_name(f".{path.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)  # by a kill
    try:
        partial.mkdir(parents=True)
        yield partial
        partial.rename(path)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def write_atomically(path: Path, content: str | bytes) -> None:
    """Puts the whole content in place in one move; a full disk leaves what was there."""
    data = content.encode() if isinstance(content, str) else content
    try:
        with new_file(path) as partial:
            partial.write_bytes(data)
            sync(partial)
    except OSError as error:
        raise ModelFolderError(
            f"{path} could not be written ({error}). What was there before is untouched"
        ) from error

"""A model's files as they are when it is taken up.

Whoever writes a new version over a run, file by file, does not change what is served: the server
and its worker read from this copy, until the last request of this version is answered.

Copies lie among the system's temporary files, where others clear away what looks forgotten. Each is
locked, which some of them respect, and its files stay open, so that it can be made again.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
import threading
import weakref
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO

from heedful.errors import ModelFolderError
from heedful.model_folder.card import CONFIG
from heedful.model_folder.weights import WEIGHTS
from heedful.text.sides import JOINT, SOURCE, TARGET

PREFIX = "heedful-served-"
PIECE = 1 << 20  # bytes that are copied at a time


class Snapshot:
    """Goes when nobody has it any more."""

    def __init__(self, run: Path) -> None:
        with ExitStack() as files:
            names = [n for n in (CONFIG, WEIGHTS, JOINT, SOURCE, TARGET) if (run / n).exists()]
            self._copy = _Copy({n: files.enter_context((run / n).open("rb")) for n in names})
        self._mending = threading.Lock()

    @property
    def path(self) -> Path:
        """A folder with all of it: another one than before, if somebody has touched that."""
        with self._mending:
            if not self._copy.is_whole():
                self._copy = _Copy(self._copy.files)
            return self._copy.path

    async def whole(self) -> Path:
        """The same. To make it again may take seconds: others are not kept waiting meanwhile."""
        if self._copy.is_whole():
            return self._copy.path
        return await asyncio.to_thread(lambda: self.path)


class _Copy:
    """A folder of ours; its files stay open."""

    def __init__(self, files: Mapping[str, BinaryIO]) -> None:
        held = ExitStack()
        self.close = weakref.finalize(self, held.close)
        _ALL.add(self)
        self.files: dict[str, BinaryIO] = {}
        try:
            self.path = _new_folder(held)
            for name, source in files.items():
                self.files[name] = held.enter_context((self.path / name).open("x+b"))
                source.seek(0)
                shutil.copyfileobj(source, self.files[name], PIECE)
                self.files[name].flush()
        except OSError as error:
            self.close()
            raise ModelFolderError(
                f"a copy of the model cannot be written to the folder for temporary files "
                f"({error.strerror or error}): TMPDIR may name another one"
            ) from None

    def is_whole(self) -> bool:
        """Whether the very files that we wrote are there."""
        try:
            return all(
                os.path.samestat((self.path / name).stat(), os.fstat(file.fileno()))
                for name, file in self.files.items()
            )
        except OSError:
            return False


_ALL: weakref.WeakSet[_Copy] = weakref.WeakSet()


def clear() -> None:
    """Takes away all of this process, whoever has them: it ends."""
    for copy in list(_ALL):
        copy.close()


def _new_folder(held: ExitStack) -> Path:
    """A folder that is locked, if this system has such locks; unlocked and deleted with `held`."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=PREFIX))
        try:
            lock = _locked(path)
        except BlockingIOError:  # a server that starts just now takes it for a dead one's
            continue
        except OSError:  # this file system has no locks
            lock = None
        if path.exists():  # it may have been taken away by now
            held.callback(shutil.rmtree, path, ignore_errors=True)
            if lock is not None:
                held.callback(os.close, lock)
            return path
        if lock is not None:
            os.close(lock)


def _locked(folder: Path) -> int | None:
    """What holds the lock; None if there is none to have, BlockingIOError if another has it."""
    if sys.platform == "win32":
        return None
    import fcntl

    with suppress(FileNotFoundError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor
    return None


def sweep() -> None:
    """Takes away what servers left that were killed: nobody holds its lock any more."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # it is another user's, or in use
            lock = _locked(folder)
            if lock is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(lock)

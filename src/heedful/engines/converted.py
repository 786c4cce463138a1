"""A model's copy for CTranslate2: made once, found again, never half there. Needs no torch to find.

The copy lies in the model folder, or, where that may not be written, in the user's cache. It
remembers the weights that it was made from. It is made beside its place and moved there in one
move, so that several processes at once do not harm each other: the last one's copy stays, and
whoever has opened another goes on with that.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from heedful.errors import ModelFolderError
from heedful.model_folder.card import read_card
from heedful.model_folder.weights import WEIGHTS

FORMAT = (
    4  # 1 did not tell the sizes of the copy's files, 2 looked with one head, 3 in the first layer
)
PLACE, ORIGIN = "ctranslate2", "origin.json"
FORGOTTEN = 3600  # seconds: no conversion takes as long


class NowhereToWriteError(ModelFolderError):
    """Neither in the model folder nor in the user's cache."""


def is_converted(folder: Path) -> bool:
    """Whether there is a copy, of these weights."""
    return _existing(folder, _Origin(folder)) is not None


def converted(folder: Path) -> Path:
    """The folder of the copy, which is made if there is none or if the weights have changed."""
    origin = _Origin(folder)
    if there := _existing(folder, origin):
        return there
    refused = []
    for place in _places(folder):
        try:
            return _convert(folder, place, origin)
        except OSError as error:
            refused.append(f"{place} ({error.strerror or error})")
    raise NowhereToWriteError(
        f"the copy for CTranslate2 cannot be written to {' nor to '.join(refused)}"
    )


def digest_of(place: Path) -> str:
    """That of the weights that a copy holds."""
    return str(json.loads((place / ORIGIN).read_text())["digest"])


class _Origin:
    """What a copy was made from: weights that are told apart by time and size, or else by content,
    and the layer that the card names."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / WEIGHTS
        try:
            state = self._path.stat()
        except OSError:
            raise ModelFolderError(f"{folder} holds no weights: {WEIGHTS} is missing") from None
        self._time = state.st_mtime_ns
        self._made = {
            "format": FORMAT,
            "size": state.st_size,
            "alignment_layer": read_card(folder).alignment_layer,  # CTranslate2 keeps one
        }

    def is_of(self, place: Path) -> bool:
        """Whether the copy in this place was made from these weights."""
        try:
            told: dict[str, Any] = json.loads((place / ORIGIN).read_text())
            if told["files"] != _sizes(place):  # something is missing or cut short
                return False
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return False
        if {key: told.get(key) for key in self._made} != self._made:
            return False
        # A folder that was copied, say, has other times.
        return told.get("time") == self._time or told.get("digest") == self._digest

    @cached_property
    def _digest(self) -> str:
        with self._path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def write(self, place: Path, digest: str) -> None:
        """Beside the copy; the digest is that of the very weights that it holds."""
        told = self._made | {"time": self._time, "digest": digest, "files": _sizes(place)}
        (place / ORIGIN).write_text(json.dumps(told))


def _existing(folder: Path, origin: _Origin) -> Path | None:
    return next((place for place in _places(folder) if origin.is_of(place)), None)


def _sizes(place: Path) -> dict[str, int]:
    """Of the copy's own files, by name."""
    return {file.name: file.stat().st_size for file in place.iterdir() if file.name != ORIGIN}


def _convert(folder: Path, place: Path, origin: _Origin) -> Path:
    from heedful.exports.ctranslate2 import write_ctranslate2
    from heedful.exports.stored import read_stored

    place.parent.mkdir(parents=True, exist_ok=True)
    _sweep(place)
    partial = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    try:
        stored = read_stored(folder)
        write_ctranslate2(stored, partial)
        origin.write(partial, stored.digest)
        partial.chmod(0o755)  # mkdtemp lets nobody but the owner in
        _move(partial, place, origin)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return place


def _sweep(place: Path) -> None:
    """Takes away what conversions left that were killed long ago; others may still be at work."""
    for left in place.parent.glob(f".{place.name}.*"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > FORGOTTEN:
                shutil.rmtree(left, ignore_errors=True)


def _move(partial: Path, place: Path, origin: _Origin) -> None:
    """Puts a folder in its place, unless another process was quicker; what else is there goes
    first, in one move too."""
    while True:
        try:
            partial.rename(place)
            return
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
        if origin.is_of(place):  # and perhaps just being opened
            return
        old = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
        try:
            place.rename(old / "old")
        except FileNotFoundError:
            pass  # another process was quicker
        finally:
            shutil.rmtree(old, ignore_errors=True)


def _places(folder: Path) -> Iterator[Path]:
    """Where a copy may lie, best first."""
    yield folder / PLACE
    try:
        cache = _cache()
    except RuntimeError:  # a user without a home, as in some containers
        return
    yield cache / hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:24]


def _cache() -> Path:
    """Where this user's programs keep what they can make again."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "heedful" / PLACE

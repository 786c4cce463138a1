"""Writing so that a crash leaves a file as it was, or as it shall be; never in between."""

from __future__ import annotations

import os
from pathlib import Path

from heedful.errors import ModelFolderError

_MASK = os.umask(0)
os.umask(_MASK)  # it can only be read by setting it
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


def write_atomically(path: Path, content: str | bytes) -> None:
    """Puts the whole content in place in one move; a full disk leaves what was there."""
    partial = path.with_name(f".{path.name}.partial")
    data = content.encode() if isinstance(content, str) else content
    try:
        partial.write_bytes(data)
        sync(partial)
        partial.replace(path)
    except OSError as error:
        raise ModelFolderError(
            f"{path} could not be written ({error}). What was there before is untouched"
        ) from error
    finally:
        partial.unlink(missing_ok=True)

"""Writing so that a crash leaves a file as it was, or as it shall be; never in between."""

from __future__ import annotations

from pathlib import Path

from heedful.errors import ModelFolderError


def write_atomically(path: Path, content: str | bytes) -> None:
    """Puts the whole content in place in one move; a full disk leaves what was there."""
    partial = path.with_name(f".{path.name}.partial")
    data = content.encode() if isinstance(content, str) else content
    try:
        partial.write_bytes(data)
        partial.replace(path)
    except OSError as error:
        raise ModelFolderError(
            f"{path} could not be written ({error}). What was there before is untouched"
        ) from error
    finally:
        partial.unlink(missing_ok=True)

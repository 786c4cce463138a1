"""Are a run's weights still those that are served? Damage leaves its card as it was."""

from __future__ import annotations

from pathlib import Path

from heedful.errors import ModelFolderError
from heedful.model_folder.card import CONFIG, Card
from heedful.model_folder.weights import WEIGHTS, digest_of


class WatchedWeights:
    """Looked at again and again; read when the file is first looked at, and when its size or its
    time is another than it was."""

    def __init__(self, run: Path, copy: Path, card: Card) -> None:
        self._path = run / WEIGHTS
        self._size = (copy / WEIGHTS).stat().st_size
        self._digest = card.weights_digest or digest_of(copy / WEIGHTS)
        self._seen: tuple[int, int] | None = None
        self._is_right = True

    def check(self) -> None:
        """ModelFolderError if they are others."""
        try:
            state = self._path.stat()
            seen = state.st_size, state.st_mtime_ns
            if seen != self._seen:
                self._is_right = seen[0] == self._size and digest_of(self._path) == self._digest
                self._seen = seen
        except FileNotFoundError:
            raise ModelFolderError(f"{self._path} is missing") from None
        if not self._is_right:
            raise ModelFolderError(
                f"{self._path} has changed, and {CONFIG} has not: it is damaged, or the rest of a "
                f"new version is still to come; copy the whole model folder again"
            )

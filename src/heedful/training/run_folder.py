"""The folder of a run: what lies where in it, and that one process at a time writes to it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from heedful.errors import ModelFolderError
from heedful.files import lock, write_atomically
from heedful.model_folder.card import RECIPE

LOCK = ".lock"
PART_OF_MORE = "HEEDFUL_PART_OF_MORE"
"""Set in the environment of a training that another command has begun, which says by itself how to
go on."""


@dataclass(frozen=True)
class RunFolder:
    """OUT: a model folder (`config.json`, `model.safetensors`, tokenizer), and these."""

    path: Path

    @property
    def recipe(self) -> Path:
        """Every setting, resolved."""
        return self.path / RECIPE

    @property
    def checkpoints(self) -> Path:
        """A folder each."""
        return self.path / "checkpoints"

    @property
    def data(self) -> Path:
        """Tokenizers and token ids."""
        return self.path / "data"

    @property
    def metrics(self) -> Path:
        """A JSON object a line."""
        return self.path / "metrics.jsonl"

    @property
    def curve(self) -> Path:
        """The learning curve."""
        return self.path / "curve.png"

    @property
    def how_to_go_on(self) -> str:
        """What to say after an interruption."""
        if os.environ.get(PART_OF_MORE):
            return ""
        return f" Go on with: heedful train --resume --out {self.path}"

    def remember_data(self, folder: Path, fingerprint: str) -> None:
        """Which prepared data this run was begun with."""
        told = json.dumps({"folder": str(folder.resolve()), "fingerprint": fingerprint})
        write_atomically(self.path / "data.json", told)

    def remembered_data(self) -> tuple[Path, str]:
        """Its folder, the run's own if it moved along with the run, and its fingerprint."""
        try:
            told = json.loads((self.path / "data.json").read_text(encoding="utf-8"))
            elsewhere, fingerprint = Path(told["folder"]), str(told["fingerprint"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelFolderError(f"{self.path / 'data.json'} is damaged ({error})") from None
        return (self.data if self.data.exists() else elsewhere), fingerprint

    def holds_a_run(self) -> bool:
        """Whether training has begun here."""
        return self.recipe.exists()

    def open(self, *, resume: bool) -> None:
        """Sees that the folder may be used; it is made when it is locked."""
        if self.path.exists() and not self.path.is_dir():
            raise ModelFolderError(f"{self.path} is a file; --out wants a folder")
        if self.holds_a_run() and not resume:
            raise ModelFolderError(
                f"{self.path} already holds a run: go on with --resume, or choose another --out"
            )
        if (self.path / "config.json").exists() and not self.holds_a_run():
            raise ModelFolderError(
                f"{self.path} holds a model without the run that made it: choose another --out"
            )

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps a second process from training in the same folder; a crash frees it. A folder that
        is made for it goes again if what fails leaves nothing in it."""
        is_new = not self.path.exists()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ModelFolderError(f"{self.path} cannot be made: {error}") from None
        try:
            with self._held():
                yield
        except BaseException:
            with suppress(OSError):  # the fault itself is what matters
                if is_new and [file.name for file in self.path.iterdir()] == [LOCK]:
                    (self.path / LOCK).unlink()
                    self.path.rmdir()
            raise

    def check_free(self) -> None:
        """Raises ModelFolderError if another process is training here."""
        if (self.path / LOCK).exists():
            with self._held():
                pass

    @contextmanager
    def _held(self) -> Iterator[None]:
        with ExitStack() as held:
            try:
                file = held.enter_context((self.path / LOCK).open("w"))
                lock(file, wait=False)
            except BlockingIOError:
                raise ModelFolderError(f"another process is training in {self.path}") from None
            except OSError as error:
                raise ModelFolderError(f"{self.path} cannot be written to: {error}") from None
            yield

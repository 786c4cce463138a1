"""A model's files as they are when it is taken up.

Whoever writes a new version over a run, file by file, does not change what is served: the server
and its worker read from this copy, until the last request of this version is answered.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path

from heedful.model_folder.card import CONFIG
from heedful.model_folder.weights import WEIGHTS
from heedful.text.sides import JOINT, SOURCE, TARGET


class Snapshot:
    """Goes when nobody has it any more."""

    def __init__(self, run: Path) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="heedful-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
        for name in (CONFIG, WEIGHTS, JOINT, SOURCE, TARGET):
            if (run / name).exists():
                shutil.copyfile(run / name, self.path / name)

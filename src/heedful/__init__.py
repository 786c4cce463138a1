"""Sequence-to-sequence learning with attention: train, translate, see and judge.

    import heedful

    heedful.train(source="train.en", target="train.de", out="runs/en-de", budget="10m")
    model = heedful.load("runs/en-de")
    model.translate("A dog runs.", beam=4).text
    heedful.evaluate(model, source="test.en", reference="test.de").bleu
    heedful.export("runs/en-de", to="onnx")
    heedful.draw.arcs(model.attend("A dog runs."))

docs/python.md shows all of it. Each name is imported when it is first used, and torch only where it
is needed: to train, and for models that no faster engine supports.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

# GNU OpenMP reads this when torch is loaded. A thread that waits for another spins for a moment and
# then sleeps. Beside any other load, threads that spin on keep the working ones off the cores (two
# trainings at once became fifty times slower); threads that never spin lose half the speed.
os.environ.setdefault("GOMP_SPINCOUNT", "4000")

__version__ = "0.2.0.dev0"
__all__ = [
    "HeedfulError",
    "Record",
    "Translation",
    "Translator",
    "__version__",
    "draw",
    "evaluate",
    "export",
    "load",
    "train",
]

if TYPE_CHECKING:
    from heedful import draw as draw
    from heedful.api import evaluate, export, train
    from heedful.errors import HeedfulError
    from heedful.planning import Translation
    from heedful.see.recording.record import Record
    from heedful.translator import Translator, load
else:  # hidden from type checkers, which would accept any name
    _HOMES = {
        "HeedfulError": "heedful.errors",
        "Record": "heedful.see.recording.record",
        "Translation": "heedful.planning",
        "Translator": "heedful.translator",
        "evaluate": "heedful.api",
        "export": "heedful.api",
        "load": "heedful.translator",
        "train": "heedful.api",
    }

    def __getattr__(name: str) -> object:
        """Import a public name when it is first used."""
        if name == "draw":
            return import_module("heedful.draw")
        if name in _HOMES:
            return getattr(import_module(_HOMES[name]), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)

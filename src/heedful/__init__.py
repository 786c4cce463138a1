"""Sequence-to-sequence learning with attention: train, translate, see and judge.

    import heedful

    heedful.train(source="train.en", target="train.de", out="runs/en-de", budget="10m")
    heedful.load("runs/en-de").translate("A dog runs.", beam=4).text

torch is imported only where it is needed: to train, and for models that no faster engine knows.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heedful.errors import HeedfulError as HeedfulError
    from heedful.training.session import Outcome
    from heedful.translator import load as load

# Must be said before torch is loaded. A thread that waits for another shall spin for a moment and
# then sleep. Beside any other load, threads that spin on keep the working ones off the cores (two
# trainings at once became fifty times slower); such that never spin lose half the speed.
os.environ.setdefault("GOMP_SPINCOUNT", "4000")

__version__ = "0.2.0.dev0"
__all__ = ["HeedfulError", "__version__", "load", "train"]


def __getattr__(name: str) -> Any:
    """`load` comes when it is asked for: with it come pydantic and SentencePiece."""
    if name == "load":
        from heedful.translator import load

        return load
    if name == "HeedfulError":
        from heedful.errors import HeedfulError

        return HeedfulError
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def train(**options: Any) -> Outcome:
    """Trains a model: takes what `heedful train` takes, with _ for -; see TrainOptions."""
    from heedful.errors import RecipeError, did_you_mean
    from heedful.training.options import TrainOptions

    known = TrainOptions.__dataclass_fields__
    for name in options:
        if name not in known:
            raise RecipeError(f"unknown option {name!r}{did_you_mean(name, known)}")
    if "out" not in options:
        raise RecipeError("out is missing: the folder of the run")

    from heedful.training.run import train_run

    return train_run(TrainOptions(**options))

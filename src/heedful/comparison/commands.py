"""`heedful compare` and its commands. Needs no torch until one of them is at work."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Literal

from cyclopts import App

from heedful.training.options import TextFile, TrainOptions

compare_app = App(name="compare", help="Compare the models of the family with each other.")


@compare_app.default
def compare(
    options: TrainOptions,
    *,
    models: str = "rnn,bahdanau,luong,conv,transformer",
    test_source: TextFile = None,
    test_target: TextFile = None,
    demo: Literal["fr", "ko"] | None = None,
) -> None:
    """Train several models on the same data, subwords and time, and write a report.

    Parameters
    ----------
    models
        Which, with commas between them.
    test_source
        Lines to judge by; the validation lines unless given.
    test_target
        Their true translations.
    demo
        Compare on the sentences of `heedful demo` instead of text of one's own.
    """
    from heedful.comparison.asked import contest_of
    from heedful.comparison.contest import run_contest

    contest = contest_of(options, models.split(","), test_source, test_target, demo)
    run_contest(contest, command=shlex.join(["heedful", *sys.argv[1:]]))


@compare_app.command
def layers(
    *,
    out: Path = Path("reports/layers"),
    longest: int = 4096,
    widest: int = 1024,
) -> None:
    """Measure Table 1 of the paper on this machine: time and memory of one layer.

    Parameters
    ----------
    out
        The report's folder.
    longest
        Sequences of 64 to so many positions.
    widest
        Layers of 64 to so many elements.
    """
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # or torch's profiler speaks, at every point
    from heedful.comparison.table_one import run_layers

    run_layers(out, longest=longest, widest=widest)


@compare_app.command
def memory(
    *,
    out: Path = Path("reports/memory"),
    models: str = "tanh,gru,lstm,bahdanau,luong,conv,transformer",
    steps: int = 400,
    seeds: int = 3,
) -> None:
    """How far back does each model remember? Accuracy against distance.

    Parameters
    ----------
    out
        The report's folder.
    models
        Which, with commas between them; tanh, gru and lstm are the cells of an encoder-decoder
        without attention.
    steps
        Of training, for each model and seed.
    seeds
        Runs of each model.
    """
    from heedful.comparison.memory_study import run_memory

    run_memory(out, models.split(","), steps=steps, seeds=seeds)


@compare_app.command
def scaling(*, out: Path = Path("reports/scaling"), steps: int = 300, seeds: int = 1) -> None:
    """Does training stall without the 1 / √d_k of scaled dot-product attention?

    Parameters
    ----------
    out
        The report's folder.
    steps
        Of training, for each width and score.
    seeds
        Runs of each.
    """
    from heedful.comparison.scaling_study import run_scaling

    run_scaling(out, steps=steps, seeds=seeds)

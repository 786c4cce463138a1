"""Whether others translate as heedful does: with a model that is trained if there is none. What was
found is written, and then it fails if anything differs."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from common import Alike, heedful, keep
from workload import Texts, make_texts

SENTENCES = 200

Compare = Callable[[Path, list[str], Path], Mapping[str, Alike | str]]
"""A run, the lines to translate, and a folder for what comes of it -> what is told of whom."""


def show(
    name: str, compare: Compare, settings: Callable[[Texts], list[str]] = lambda texts: []
) -> None:
    """With a model of two minutes, trained with these settings, unless there is one."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        texts = make_texts(folder)
        run = Path(sys.argv[1]) if len(sys.argv) > 1 else folder / "run"
        if not run.exists():
            heedful("train", "--source", texts.train.source, "--target", texts.train.target,
                    "--preset", "tiny", *settings(texts),
                    "--budget", os.environ.get("BUDGET", "120s"), "--out", run)  # fmt: skip
        lines = texts.test.source.read_text(encoding="utf-8").splitlines()[:SENTENCES]
        figures = compare(run, lines, folder)
    keep(name, {"text": texts.name} | {key: str(value) for key, value in figures.items()})
    differ = [key for key, one in figures.items() if isinstance(one, Alike) and not one.all]
    if differ:
        sys.exit(f"not the same: {'; '.join(differ)}")

"""Training by the clock and judging on test lines: what the benchmarks of budgets share."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common import heedful


@dataclass(frozen=True)
class Lesson:
    """What to learn from, and what to be judged on."""

    data: tuple[str | Path, ...]  # what `heedful train` is told of it
    source: Path
    reference: Path
    judged: tuple[str, ...] = ()  # further options of `heedful evaluate`

    def learnt(self, budget: str, seed: int, scores: Iterable[str]) -> dict[str, Any]:
        """Trains and judges: these scores of the test lines, and what came before them."""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "run"
            started = time.monotonic()
            heedful("train", *self.data, "--budget", budget, "--seed", str(seed), "--out", out)
            seconds = time.monotonic() - started
            files = "--source", self.source, "--reference", self.reference
            report = json.loads(
                heedful("evaluate", out, *files, *self.judged, "--json", capture=True)
            )
            card = json.loads((out / "config.json").read_text(encoding="utf-8"))
        told = {
            "seed": seed,
            "seconds": round(seconds),
            "steps": card["training"]["steps"],
            "validation": card["scores"],
        }
        return told | {name: report[name] for name in scores}


def medians(runs: list[dict[str, Any]], scores: Iterable[str]) -> dict[str, float]:
    """Of each score over all runs."""
    return {
        f"median_{name}": round(statistics.median(run[name]["value"] for run in runs), 2)
        for name in scores
    }

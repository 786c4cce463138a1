"""Training by the clock and judging on test lines: what the benchmarks of budgets share."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common import heedful, keep


@dataclass(frozen=True)
class Lesson:
    """What to learn from, and what to be judged on."""

    data: tuple[str | Path, ...]  # what `heedful train` is told of it
    source: Path
    reference: Path
    scores: tuple[str, ...]
    judged: tuple[str, ...] = ()  # further options of `heedful evaluate`

    @classmethod
    def multi30k(cls, folder: Path, scores: tuple[str, ...], *judged: str) -> Lesson:
        """English to German, judged on test2016."""
        data = (
            "--source", folder / "train.en", "--target", folder / "train.de",
            "--valid-source", folder / "val.en", "--valid-target", folder / "val.de",
            "--source-lang", "en", "--target-lang", "de",
        )  # fmt: skip
        return cls(data, folder / "test2016.en", folder / "test2016.de", scores, judged)

    def measure(self, name: str, budget: str, seeds: Sequence[str]) -> None:
        """A run for each seed; keeps the figures, and their medians."""
        runs = [self._learnt(budget, seed) for seed in seeds]
        medians = {
            f"median_{score}": round(statistics.median(run[score]["value"] for run in runs), 2)
            for score in self.scores
        }
        keep(name, {"budget": budget} | medians | {"runs": runs})

    def _learnt(self, budget: str, seed: str) -> dict[str, Any]:
        """Trains and judges: the scores of the test lines, and what came before them."""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "run"
            started = time.monotonic()
            heedful("train", *self.data, "--budget", budget, "--seed", seed, "--out", out)
            seconds = time.monotonic() - started
            files = "--source", self.source, "--reference", self.reference
            report = json.loads(
                heedful("evaluate", out, *files, *self.judged, "--json", capture=True)
            )
            card = json.loads((out / "config.json").read_text(encoding="utf-8"))
        told = {
            "seed": int(seed),
            "seconds": round(seconds),
            "steps": card["training"]["steps"],
            "validation": card["scores"],
        }
        return told | {name: report[name] for name in self.scores}

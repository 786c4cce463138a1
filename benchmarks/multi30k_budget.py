"""How good a translator does a budget train on Multi30k, English to German, raw text?

    HEEDFUL_DATA=… python benchmarks/multi30k_budget.py [10m] [seed …]

A run for each seed, 1, 2 and 3 unless given; the median counts.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from common import data_folder, heedful, keep


def run(budget: str, seed: int) -> dict[str, Any]:
    """Trains, and evaluates on test2016."""
    data = data_folder() / "multi30k"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "en-de"
        started = time.monotonic()
        heedful(
            "train", "--source", data / "train.en", "--target", data / "train.de",
            "--valid-source", data / "val.en", "--valid-target", data / "val.de",
            "--source-lang", "en", "--target-lang", "de", "--budget", budget, "--seed", str(seed),
            "--out", out,
        )  # fmt: skip
        seconds = time.monotonic() - started
        report = json.loads(
            heedful(
                "evaluate", out, "--source", data / "test2016.en",
                "--reference", data / "test2016.de", "--json", capture=True,
            )
        )  # fmt: skip
        card = json.loads((out / "config.json").read_text(encoding="utf-8"))
    return {
        "seed": seed,
        "seconds": round(seconds),
        "steps": card["training"]["steps"],
        "validation": card["scores"],
        "bleu": report["bleu"],
        "chrf": report["chrf"],
    }


def main() -> None:
    """A run for each seed; keeps the figures."""
    budget, *seeds = sys.argv[1:] or ["10m"]
    runs = [run(budget, int(seed)) for seed in seeds or (1, 2, 3)]
    keep(
        "multi30k_budget",
        {
            "budget": budget,
            "median_bleu": round(statistics.median(r["bleu"]["value"] for r in runs), 2),
            "median_chrf": round(statistics.median(r["chrf"]["value"] for r in runs), 2),
            "runs": runs,
        },
    )


if __name__ == "__main__":
    main()

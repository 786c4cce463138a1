"""How good a translator does a budget train on Multi30k, English to German, raw text?

HEEDFUL_DATA=… python benchmarks/multi30k_budget.py [10m]
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

from common import data_folder, heedful, keep


def main() -> None:
    """Trains, evaluates on test2016, keeps the figures."""
    budget = sys.argv[1] if len(sys.argv) > 1 else "10m"
    data = data_folder() / "multi30k"
    run = Path(tempfile.mkdtemp()) / "en-de"
    started = time.monotonic()
    heedful(
        "train", "--source", data / "train.en", "--target", data / "train.de",
        "--valid-source", data / "val.en", "--valid-target", data / "val.de",
        "--source-lang", "en", "--target-lang", "de", "--budget", budget, "--out", run,
    )  # fmt: skip
    seconds = time.monotonic() - started
    report = json.loads(
        heedful(
            "evaluate", run, "--source", data / "test2016.en",
            "--reference", data / "test2016.de", "--json", capture=True,
        )
    )  # fmt: skip
    keep(
        "multi30k_budget",
        {
            "budget": budget,
            "seconds": round(seconds),
            "bleu": report["bleu"],
            "chrf": report["chrf"],
        },
    )
    shutil.rmtree(run.parent)


if __name__ == "__main__":
    main()

"""How good a translator does a budget train on Multi30k, English to German, raw text?

    HEEDFUL_DATA=… python benchmarks/multi30k_budget.py [10m] [seed …]

A run for each seed, 1, 2 and 3 unless given; the median counts.
"""

from __future__ import annotations

import sys

from budgeted import Lesson, medians
from common import data_folder, keep

SCORES = "bleu", "chrf"


def main() -> None:
    """Judges on test2016; keeps the figures."""
    budget, *seeds = sys.argv[1:] or ["10m"]
    data = data_folder() / "multi30k"
    lesson = Lesson(
        (
            "--source", data / "train.en", "--target", data / "train.de",
            "--valid-source", data / "val.en", "--valid-target", data / "val.de",
            "--source-lang", "en", "--target-lang", "de",
        ),
        data / "test2016.en",
        data / "test2016.de",
    )  # fmt: skip
    runs = [lesson.learnt(budget, int(seed), SCORES) for seed in seeds or (1, 2, 3)]
    keep("multi30k_budget", {"budget": budget} | medians(runs, SCORES) | {"runs": runs})


if __name__ == "__main__":
    main()

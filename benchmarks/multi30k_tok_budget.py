"""And on Multi30k as others publish it, lower-cased and tokenised, with the BLEU of such text?

    HEEDFUL_DATA=… python benchmarks/multi30k_tok_budget.py [60m] [seed …]

A run for each seed, 1 unless given.
"""

from __future__ import annotations

import sys

from budgeted import Lesson, medians
from common import data_folder, keep

SCORES = ("bleu",)


def main() -> None:
    """Judges on test2016; keeps the figures."""
    budget, *seeds = sys.argv[1:] or ["60m"]
    data = data_folder() / "multi30k-tok"
    lesson = Lesson(
        (
            "--source", data / "train.en", "--target", data / "train.de",
            "--valid-source", data / "val.en", "--valid-target", data / "val.de",
        ),
        data / "test2016.en",
        data / "test2016.de",
        ("--tokenize", "none"),
    )  # fmt: skip
    runs = [lesson.learnt(budget, int(seed), SCORES) for seed in seeds or (1,)]
    keep("multi30k_tok_budget", {"budget": budget} | medians(runs, SCORES) | {"runs": runs})


if __name__ == "__main__":
    main()

"""How good a translator does a budget train on Multi30k, English to German, raw text?

    HEEDFUL_DATA=… python benchmarks/multi30k_budget.py [10m] [seed …]

A run for each seed, 1, 2 and 3 unless given; the median counts.
"""

from __future__ import annotations

import sys

from budgeted import Lesson
from common import data_folder

if __name__ == "__main__":
    budget, *seeds = sys.argv[1:] or ["10m"]
    lesson = Lesson.multi30k(data_folder() / "multi30k", ("bleu", "chrf"))
    lesson.measure("multi30k_budget", budget, seeds or ["1", "2", "3"])

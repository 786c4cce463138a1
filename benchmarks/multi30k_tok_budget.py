"""And on Multi30k as others publish it, lower-cased and tokenised, with the BLEU of such text?

    HEEDFUL_DATA=… python benchmarks/multi30k_tok_budget.py [60m] [seed …]

A run for each seed, 1 unless given.
"""

from __future__ import annotations

import sys

from budgeted import Lesson
from common import data_folder

if __name__ == "__main__":
    budget, *seeds = sys.argv[1:] or ["60m"]
    lesson = Lesson.multi30k(data_folder() / "multi30k-tok", ("bleu",), "--tokenize", "none")
    lesson.measure("multi30k_tok_budget", budget, seeds or ["1"])

"""How well does a budget learn spelling to sound, Hungarian, characters to phones?

HEEDFUL_DATA=… python benchmarks/g2p_budget.py [10m] [hun]
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
    """Trains, evaluates on the test words, keeps the figures."""
    budget = sys.argv[1] if len(sys.argv) > 1 else "10m"
    language = sys.argv[2] if len(sys.argv) > 2 else "hun"
    data = data_folder() / "g2p"
    folder = Path(tempfile.mkdtemp())
    run = folder / language
    started = time.monotonic()
    heedful(
        "train", "--pairs", data / f"{language}_train.tsv",
        "--valid-pairs", data / f"{language}_dev.tsv",
        "--source-tokens", "chars", "--target-tokens", "words", "--budget", budget, "--out", run,
    )  # fmt: skip
    seconds = time.monotonic() - started
    pairs = (data / f"{language}_test.tsv").read_text(encoding="utf-8").splitlines()
    for side, place in (("source", 0), ("reference", 1)):
        lines = "".join(pair.split("\t")[place] + "\n" for pair in pairs)
        (folder / side).write_text(lines, encoding="utf-8")
    report = json.loads(
        heedful(
            "evaluate", run, "--source", folder / "source",
            "--reference", folder / "reference", "--json", capture=True,
        )
    )  # fmt: skip
    keep(
        f"g2p_budget_{language}",
        {
            "budget": budget,
            "seconds": round(seconds),
            "exact_match": report["exact_match"],
            "word_error_rate_sigmorphon": report["line_error_rate"],
            "phone_error_rate": report["word_error_rate"],
        },
    )
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()

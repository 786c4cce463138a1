"""How well does a budget learn spelling to sound, characters to phones?

    HEEDFUL_DATA=… python benchmarks/g2p_budget.py [10m] [hun] [seed …]

Hungarian or Korean (kor); a run for each seed, 1, 2 and 3 unless given; the median counts. The
line error rate is what SIGMORPHON's tasks call the word error rate; our words are the phones.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from budgeted import Lesson
from common import data_folder


def main() -> None:
    """Judges on the test words; keeps the figures."""
    budget = sys.argv[1] if len(sys.argv) > 1 else "10m"
    language = sys.argv[2] if len(sys.argv) > 2 else "hun"
    seeds = sys.argv[3:] or ["1", "2", "3"]
    data = data_folder() / "g2p"
    with tempfile.TemporaryDirectory() as folder:
        words, sounds = _columns(data / f"{language}_test.tsv", Path(folder))
        lesson = Lesson(
            (
                "--pairs", data / f"{language}_train.tsv",
                "--valid-pairs", data / f"{language}_dev.tsv",
                "--source-tokens", "chars", "--target-tokens", "words",
            ),
            words,
            sounds,
            ("line_error_rate", "word_error_rate"),
        )  # fmt: skip
        lesson.measure(f"g2p_budget_{language}", budget, seeds)


def _columns(pairs: Path, folder: Path) -> tuple[Path, Path]:
    """The two sides of a table, a file each."""
    rows = [line.split("\t") for line in pairs.read_text(encoding="utf-8").splitlines()]
    sides = folder / "words", folder / "sounds"
    for path, column in zip(sides, zip(*rows, strict=True), strict=True):
        path.write_text("".join(cell + "\n" for cell in column), encoding="utf-8")
    return sides


if __name__ == "__main__":
    main()

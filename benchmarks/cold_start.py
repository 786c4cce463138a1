"""How long does one short sentence take, from the shell's prompt to its translation?

    python benchmarks/cold_start.py

A tiny model with random weights that writes ten pieces; its copy for CTranslate2 is there already.
The median of fifteen calls, beside those of python doing nothing and of python loading torch.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import heedful, keep
from workload import make_texts

CALLS = 15
HERE = Path(sys.executable).parent


def seconds(command: list[str | Path]) -> float:
    """From the call to its end, with a sentence on standard input."""
    started = time.monotonic()
    subprocess.run(command, input="A dog runs.\n", text=True, check=True, capture_output=True)
    return time.monotonic() - started


def main() -> None:
    """All of them in turn."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        train = make_texts(folder).train
        heedful(
            "train", "--source", train.source, "--target", train.target, "--preset", "tiny",
            "--steps", "1", "--set", "training.validation_lines=1",
            "--set", "decoding.min_length=10", "--set", "decoding.max_length=10",
            "--out", folder / "run",
        )  # fmt: skip
        commands: dict[str, list[str | Path]] = {
            "heedful translate": [HERE / "heedful", "translate", folder / "run"],
            "heedful translate --engine torch": [
                HERE / "heedful", "translate", folder / "run", "--engine", "torch"
            ],
            "python -c pass": [sys.executable, "-c", "pass"],
            "python -c 'import torch'": [sys.executable, "-c", "import torch"],
        }  # fmt: skip
        took: dict[str, list[float]] = {name: [] for name in commands}
        seconds(commands["heedful translate"])  # makes the copy
        for _ in range(CALLS):
            for name, command in commands.items():
                took[name].append(seconds(command))
    keep("cold_start", {f"{n}, seconds": round(statistics.median(t), 2) for n, t in took.items()})


if __name__ == "__main__":
    main()

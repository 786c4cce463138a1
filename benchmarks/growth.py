"""What do ten million pairs cost? Made by heedful's own generator, prepared, and trained on.

    python benchmarks/growth.py [10000000]

Reports the seconds of preparing, the resident memory of the training process less what the same
training takes on a small corpus, and how soon a second run takes its first step.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import keep
from heedful.demo.corpus import generate

MODEL = ["model.n_layers=1", "model.d_model=64", "model.d_ff=64", "model.n_heads=2"]


def train(folder: Path, name: str, out: str) -> tuple[float, float, float]:
    """A few steps -> seconds in all, seconds to the first step, peak resident MiB."""
    program = (
        "import resource, sys, heedful\n"
        "heedful.train(**__import__('json').loads(sys.argv[1]))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)\n"
    )
    options = {
        "source": str(folder / f"{name}.en"), "target": str(folder / f"{name}.fr"),
        "out": str(folder / out), "data": str(folder / f"{name}-data"), "steps": 300,
        "quiet": True,
        "set": [*MODEL, "training.validate_every=300", "training.validation_lines=10"],
    }  # fmt: skip
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", program, json.dumps(options)],
        check=True, text=True, capture_output=True,
    )  # fmt: skip
    first = json.loads((folder / out / "metrics.jsonl").read_text().split("\n")[0])
    return time.monotonic() - started, first["seconds"], float(done.stdout.split()[-1])


def main() -> None:
    """Small and large corpus, the large one twice."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    folder = Path(tempfile.mkdtemp())
    pairs = generate("fr", train=100_000, valid=10, test=10).train
    sides = {"en": [e.source for e in pairs], "fr": [e.target for e in pairs]}
    for side, lines in sides.items():
        block = "\n".join(lines) + "\n"
        (folder / f"small.{side}").write_text(block, encoding="utf-8")
        with (folder / f"large.{side}").open("w", encoding="utf-8") as out:
            out.writelines(block for _ in range(wanted // len(pairs)))
    _, _, small = train(folder, "small", "small-run")
    prepared, _, preparing_peak = train(folder, "large", "large-run")
    _, start, large = train(folder, "large", "large-again")
    keep(
        "growth",
        {
            "pairs": wanted,
            "seconds_first_run": round(prepared),
            "peak_mib_first_run": round(preparing_peak),
            "peak_mib_second_run": round(large),
            "peak_mib_small_corpus": round(small),
            "seconds_to_first_step_second_run": round(start, 1),
        },
    )
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()

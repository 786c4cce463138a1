"""What do ten million pairs cost? Made by heedful's own generator, prepared, and trained on.

    python benchmarks/growth.py [10000000]

Reports the seconds of preparing and 300 steps, the resident memory of all processes, beside it that
of the same training on a small corpus, and how soon a second run takes its first step.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import keep
from heedful.demo.corpus import generate

MODEL = ["model.n_layers=1", "model.d_model=64", "model.d_ff=64", "model.n_heads=2"]


PROGRAM = """
import json, sys, time
import heedful.training.run
loaded = time.monotonic() - float(sys.argv[1])
heedful.train(**json.loads(sys.argv[2]))
print(loaded)
"""


def train(folder: Path, name: str, out: str) -> tuple[float, float, float]:
    """A few steps -> seconds in all, seconds to the first step, peak resident MiB; the time counts
    from the start of the process, the memory is that of all its processes together."""
    options = {
        "source": str(folder / f"{name}.en"), "target": str(folder / f"{name}.fr"),
        "out": str(folder / out), "data": str(folder / f"{name}-data"), "steps": 300,
        "quiet": True,
        "set": [*MODEL, "training.validate_every=300", "training.validation_lines=10"],
    }  # fmt: skip
    started, peak = time.monotonic(), 0.0
    command = [sys.executable, "-c", PROGRAM, str(started), json.dumps(options)]
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE) as process:
        while process.poll() is None:
            peak = max(peak, resident_mib(process.pid))
            time.sleep(0.05)
        assert process.stdout
        loaded = float(process.stdout.read())
    first = json.loads((folder / out / "metrics.jsonl").read_text().split("\n")[0])
    return time.monotonic() - started, loaded + first["seconds"], peak


def resident_mib(process: int) -> float:
    """Of a process and its children, as Linux tells."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except OSError:  # it has just ended
        return 0.0
    own = pages * resource.getpagesize() / 2**20
    return own + sum(resident_mib(int(child)) for child in children)


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

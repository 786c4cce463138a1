"""How fast do heedful and its peers train the same Transformer on the CPU?

    HEEDFUL_DATA=… python benchmarks/training_speed.py [--rounds 3] [--sizes tiny base] [--add]

Each peer trains with its own trainer (`peers/`), in its own environment and process, one after the
other, round after round, so that a slow minute of the machine hits all alike. Counted are real
target tokens a second after a warm-up. Before each round and after the last one a plain large
matrix multiply is timed: what the machine could do.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from common import RESULTS, command, keep
from environments import HERE, PEERS, python_of
from heedful.machine import granted_cores
from heedful.models.config import PRESETS
from speed_report import is_quiet, show, summary, versions
from workload import Workload, make_workload

NAME = "training_speed"
BATCH_TOKENS = 4096
WARM_UP = 5.0  # seconds, and three steps at least
WINDOW = {"tiny": 27.0, "base": 60.0}
START = 15.0  # seconds that starting and a first step take, roughly: for the time left only
PATIENCE = {"GOMP_SPINCOUNT": "4000"}
"""How heedful makes threads wait. The peers get it too: it serves them better than the default, by
far where anything else runs on the machine."""
PROGRAMS = {
    "heedful": "train_heedful.py",
    "eole": "train_eole.py",
    "opennmt-py": "train_opennmt.py",
    "marian": "train_marian.py",
}


@dataclass(frozen=True)
class Plan:
    """One thing to measure: a peer at a size, or the matrix multiply."""

    round: int
    size: str
    peer: str

    def seconds(self, scale: float) -> float:
        """About how long it takes."""
        if self.peer == "multiply":
            return 6.0
        return START + WARM_UP + WINDOW[self.size] * scale


def main() -> None:
    """Measures all that was asked for, shows the table, keeps the figures."""
    options = _options()
    runs, commands = _kept() if options.add else ([], [])
    pythons = {peer: _python(peer) for peer in options.peers}
    with tempfile.TemporaryDirectory() as folder:
        workload = make_workload(Path(folder))
        for run in _measured(options, workload, pythons, Path(folder)):
            runs.append(run)
    found = summary(runs, workload.vocabulary)
    facts = asdict(workload)
    settings = {
        "text": {key: facts[key] for key in facts if key not in ("text", "heedful")},
        "batch_tokens": BATCH_TOKENS,
        "threads": options.threads,
    }
    told = {"command": "; ".join([*commands, command()]), "versions": versions(PEERS)}
    keep(NAME, told | {"settings": settings, "results": found, "runs": runs}, show=False)
    show(found, f"{workload.name}, {options.threads} threads")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", nargs="+", choices=list(WINDOW), default=list(WINDOW))
    parser.add_argument("--peers", nargs="+", choices=list(PROGRAMS), default=list(PROGRAMS))
    parser.add_argument("--threads", type=int, default=granted_cores())
    parser.add_argument("--scale", type=float, default=1.0, help="of the windows' lengths")
    parser.add_argument("--add", action="store_true", help="to the runs that were kept before")
    return parser.parse_args()


def _kept() -> tuple[list[dict[str, Any]], list[str]]:
    """The runs of before, and the commands that they came from."""
    path = RESULTS / f"{NAME}.json"
    if not path.exists():
        return [], []
    told = json.loads(path.read_text(encoding="utf-8"))
    return told["runs"], [told["command"]]


def _python(peer: str) -> Path:
    """heedful runs where the benchmark does."""
    return Path(sys.executable) if peer == "heedful" else python_of(peer)


def _plans(options: argparse.Namespace) -> list[Plan]:
    """All rounds of the first size, then of the next; a multiply round each round."""
    plans = []
    for size in options.sizes:
        for number in range(1, options.rounds + 1):
            plans.append(Plan(number, size, "multiply"))
            plans += [Plan(number, size, peer) for peer in options.peers]
    return [*plans, Plan(options.rounds, options.sizes[-1], "multiply")]


def _measured(
    options: argparse.Namespace, workload: Workload, pythons: dict[str, Path], folder: Path
) -> Iterator[dict[str, Any]]:
    """One record after the other, told as they come, with the time left."""
    plans, began = _plans(options), time.monotonic()
    costs = [plan.seconds(options.scale) for plan in plans]
    for index, plan in enumerate(plans):
        if plan.peer == "multiply":
            figures = {"gflops": _multiply(options.threads)}
            told = f"{figures['gflops']:.0f} GFLOPS"
        else:
            out = folder / f"run-{index}"
            out.mkdir()
            job = _job(plan, workload, out, options)
            figures = run_peer([pythons[plan.peer], HERE / "peers" / PROGRAMS[plan.peer]], job)
            told = f"{figures['target_tokens'] / figures['seconds']:,.0f} target tokens/s"
            if not is_quiet(figures):
                told += f", but others kept {figures['others']:.1f} cores busy"
        done, to_come = sum(costs[: index + 1]), sum(costs[index + 1 :])
        left = (time.monotonic() - began) * to_come / done
        where = f"{plan.size}, round {plan.round} of {options.rounds}"
        minutes = f"{left // 60:.0f}:{left % 60:02.0f} left"
        print(f"{where}: {plan.peer:<10} {told}  ({minutes})", file=sys.stderr, flush=True)
        yield asdict(plan) | figures


def _job(plan: Plan, workload: Workload, out: Path, options: argparse.Namespace) -> dict[str, Any]:
    """What `peers/window.py` reads."""
    return PRESETS["transformer"][plan.size] | {
        "text": str(workload.text),
        "heedful": workload.heedful,
        "out": str(out),
        "vocabulary": workload.vocabulary,
        "pairs": workload.pairs,
        "batch_tokens": BATCH_TOKENS,
        "threads": options.threads,
        "warm_up_seconds": WARM_UP,
        "seconds": WINDOW[plan.size] * options.scale,
    }


def run_peer(program: list[Path], job: dict[str, Any]) -> dict[str, float]:
    """Its python and its program of `peers/`; what that prints last are the figures."""
    call = [*map(str, program), json.dumps(job)]
    environment = os.environ | {"OMP_NUM_THREADS": str(job["threads"])} | PATIENCE
    done = subprocess.run(call, text=True, capture_output=True, env=environment, check=False)
    if done.returncode:
        sys.exit(f"{program[1].name} failed:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    figures: dict[str, float] = json.loads(done.stdout.strip().split("\n")[-1])
    return figures


def _multiply(threads: int) -> float:
    call = [sys.executable, str(HERE / "peers" / "multiply.py"), str(threads)]
    return float(subprocess.run(call, text=True, capture_output=True, check=True).stdout)


if __name__ == "__main__":
    main()

"""Does a budget choose a size that is near the best for its time?

    HEEDFUL_DATA=… python benchmarks/budget_choice.py [CORPUS:BUDGET …]

Trains with `--budget` alone, and with six sizes given by hand (1, 2 and 4 layers, two widths), on
the same data for the same time, one after the other; judges all by chrF on the validation files,
with `heedful evaluate`. Fails where the default is more than 5 % below the best of the six, or 10 %
where another process keeps one core busy (a corpus with `+load`), or where a run leaves or overruns
its time. All eight tasks take about two and a half hours; results of single ones are added to the
file of results. Draws benchmarks/results/budget_choice.png.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from common import RESULTS, data_folder, heedful, keep
from heedful.training.config import parse_duration

TASKS = (
    "tatoeba-koen:30s", "g2p:30s", "multi30k:30s",
    "tatoeba-koen:2m", "g2p:2m", "multi30k:2m",
    "multi30k:10m", "tatoeba-koen+load:90s",
)  # fmt: skip
LAYERS = (1, 2, 4)
WIDTHS, WIDTHS_OF_LONG = (64, 128), (128, 256)  # of budgets up to two minutes, and beyond
LOSS, LOSS_BESIDE_LOAD = 0.05, 0.10
USED, OVERRUN = 0.95, 1.02
BUSY = "while True: pass"

Row = dict[str, Any]


@dataclass(frozen=True)
class Corpus:
    """Training files, validation files, and further options of `heedful train`."""

    train: tuple[str | Path, ...]
    source: Path
    reference: Path

    @classmethod
    def named(cls, name: str, folder: Path) -> Corpus:
        """One of those in HEEDFUL_DATA; validation files of pairs are written to `folder`."""
        data = data_folder()
        if name == "g2p":
            source, reference = folder / "dev.words", folder / "dev.sounds"
            pairs = (data / "g2p/kor_dev.tsv").read_text(encoding="utf-8").splitlines()
            source.write_text("".join(p.split("\t")[0] + "\n" for p in pairs), encoding="utf-8")
            reference.write_text("".join(p.split("\t")[1] + "\n" for p in pairs), encoding="utf-8")
            tokens = "--source-tokens", "chars", "--target-tokens", "words"
            return cls(("--pairs", data / "g2p/kor_train.tsv", *tokens), source, reference)
        valid, source_lang, target_lang = {
            "tatoeba-koen": ("dev", "ko", "en"),
            "multi30k": ("val", "en", "de"),
        }[name]
        train, given = data / name / "train", data / name / valid
        return cls(
            ("--source", f"{train}.{source_lang}", "--target", f"{train}.{target_lang}"),
            Path(f"{given}.{source_lang}"),
            Path(f"{given}.{target_lang}"),
        )


def run(corpus: Corpus, budget: str, size: tuple[int, int] | None) -> Row:
    """Train for this time and judge -> what came of it."""
    sized = []
    if size:
        n_layers, d_model = size
        settings = {"n_layers": n_layers, "d_model": d_model, "d_ff": 2 * d_model, "n_heads": 4}
        sized = [word for k, v in settings.items() for word in ("--set", f"model.{k}={v}")]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        valid = "--valid-source", corpus.source, "--valid-target", corpus.reference
        started = time.monotonic()
        heedful("train", *corpus.train, *valid, "--out", out, "--budget", budget, *sized)
        seconds = time.monotonic() - started
        files = "--source", corpus.source, "--reference", corpus.reference
        report = json.loads(heedful("evaluate", out, *files, "--json", capture=True))
        card = json.loads((out / "config.json").read_text(encoding="utf-8"))
    return {
        "given": bool(size),
        "size": f"{card['model']['n_layers']}x{card['model']['d_model']}",
        "chrf": round(report["chrf"]["value"], 1),
        "bleu": round(report["bleu"]["value"], 1),
        "steps": card["training"]["steps"],
        "seconds": round(seconds, 1),
    }


@contextmanager
def load(wanted: bool) -> Iterator[None]:
    """Keep one core busy meanwhile, if that is wanted."""
    if not wanted:
        yield
        return
    busy = subprocess.Popen([sys.executable, "-c", BUSY])
    try:
        yield
    finally:
        busy.kill()
        busy.wait()


def measure(task: str) -> list[Row]:
    """Run the default, then the six sizes."""
    name, budget = task.split(":")
    widths = WIDTHS if parse_duration(budget) <= 120 else WIDTHS_OF_LONG
    sizes = [None, *((n_layers, d_model) for n_layers in LAYERS for d_model in widths)]
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus.named(name.removesuffix("+load"), Path(folder))
        with load(name.endswith("+load")):
            return [run(corpus, budget, size) for size in sizes]


def faults(task: str, rows: list[Row]) -> list[str]:
    """Say what the default of a task falls short of."""
    default, best = rows[0], max(row["chrf"] for row in rows[1:])
    allowed = LOSS_BESIDE_LOAD if "+load" in task else LOSS
    budget = parse_duration(task.split(":")[1])
    found = []
    if default["chrf"] < (1 - allowed) * best:
        found.append(f"{task}: chrF {default['chrf']} against {best} of the best size")
    if not USED * budget <= default["seconds"] <= OVERRUN * budget:
        found.append(f"{task}: took {default['seconds']} s")
    return found


def show(tasks: dict[str, list[Row]]) -> None:
    """Print a table of all tasks."""
    table = Table("task", "default", "chrF", "of the best", "seconds", "by size: chrF (steps)")
    for task, rows in tasks.items():
        default, given = rows[0], rows[1:]
        best = max(row["chrf"] for row in given)
        sizes = "  ".join(f"{r['size']} {r['chrf']} ({r['steps']:,})" for r in given)
        share = f"{default['chrf'] / best:.2f}"
        chosen = f"{default['size']} ({default['steps']:,})"
        table.add_row(task, chosen, str(default["chrf"]), share, str(default["seconds"]), sizes)
    Console(width=200).print(table)


def draw(tasks: dict[str, list[Row]], path: Path) -> None:
    """Draw a row of points for each task: the share of the best chrF that each size reaches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 0.6 * len(tasks) + 1.2), layout="constrained")
    axes = figure.subplots()
    for y, (_, rows) in enumerate(reversed(tasks.items())):
        best = max(row["chrf"] for row in rows[1:])
        axes.scatter([r["chrf"] / best for r in rows[1:]], [y] * 6, color="#999999", zorder=2)
        for row in rows[1:]:
            place = (row["chrf"] / best, y)
            axes.annotate(row["size"], place, xytext=(0, 6), textcoords="offset points",
                          ha="center", fontsize=7, color="#777777")  # fmt: skip
        axes.scatter([rows[0]["chrf"] / best], [y], color="#c0392b", marker="D", zorder=3)
    axes.axvline(1 - LOSS, color="#cccccc", linestyle="--", zorder=1)
    axes.set_yticks(range(len(tasks)), list(reversed(tasks)))
    axes.set_xlabel("chrF, as a share of the best of six sizes; red: chosen by --budget")
    figure.savefig(path, dpi=110)


def main() -> None:
    """Measure the tasks that are asked for; show, draw and check all that were ever measured."""
    stored = RESULTS / "budget_choice.json"
    before = json.loads(stored.read_text(encoding="utf-8"))["tasks"] if stored.exists() else {}
    tasks: dict[str, list[Row]] = dict(before)
    for task in sys.argv[1:] or TASKS:
        tasks[task] = measure(task)
        tasks = {name: tasks[name] for name in TASKS if name in tasks}
        keep("budget_choice", {"tasks": tasks}, show=False)
    show(tasks)
    draw(tasks, RESULTS / "budget_choice.png")
    found = [fault for task, rows in tasks.items() for fault in faults(task, rows)]
    sys.exit("\n".join(found) if found else None)


if __name__ == "__main__":
    main()

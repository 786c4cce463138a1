"""How fast are translations, against CTranslate2 itself and Hugging Face's `generate`?

    HEEDFUL_DATA=… python benchmarks/translation_speed.py [passes]

The same weights throughout: a tiny model trained for two minutes, and a base model with random
weights that must write 20 pieces a sentence. From file to file, tokenising and joining included,
loading not. CTranslate2 gets its best settings, found by search. Passes take turns; medians.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from common import data_folder, heedful, keep

WORKER = Path(__file__).parent / "translating" / "worker.py"
Task = dict[str, Any]


class Worker:
    """A process that translates a file whenever it is asked."""

    def __init__(self, task: Task) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(WORKER), json.dumps(task)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self._answer()

    def seconds(self) -> float:
        """Of one pass."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return float(self._answer())

    def end(self) -> None:
        """Lets the process go."""
        self._process.communicate()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the worker {self._process.args!r} died")
        return line


def medians(tasks: dict[str, Task], passes: int) -> dict[str, float]:
    """Seconds of a pass of each, taking turns."""
    workers = {name: Worker(task) for name, task in tasks.items()}
    found: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(passes):
        for name, worker in workers.items():
            found[name].append(worker.seconds())
    for worker in workers.values():
        worker.end()
    return {name: statistics.median(seconds) for name, seconds in found.items()}


def best_settings(task: Task, threads: int) -> Task:
    """Those with which CTranslate2 is fastest on this machine."""
    tried = {
        f"{inter} x {intra}, {batch}": task | {"inter": inter, "intra": intra, "batch": batch}
        for inter, intra in {(threads, 1), (1, threads)}
        for batch in (512, 1024, 2048, 4096)
    }
    seconds = medians(tried, passes=1)
    return tried[min(seconds, key=seconds.__getitem__)]


def prepare(folder: Path, data: Path) -> dict[str, str]:
    """The models, in every form."""
    sides = (
        "--source", data / "train.en", "--target", data / "train.de",
        "--valid-source", data / "val.en", "--valid-target", data / "val.de",
        "--set", "text.vocabulary_size=8000",
    )  # fmt: skip
    heedful(
        "train", *sides, "--preset", "tiny", "--budget", "2m", "--out", folder / "tiny",
        "--data", folder / "data", "--set", "model.pre_norm=false",
    )  # fmt: skip
    heedful(
        "train", *sides, "--preset", "base", "--steps", "1", "--out", folder / "base",
        "--data", folder / "data", "--set", "training.validation_lines=1",
        "--set", "decoding.max_length=2",
    )  # fmt: skip
    places = {"tiny": str(folder / "tiny"), "base": str(folder / "base")}
    for size in ("tiny", "base"):
        for form in ("ctranslate2", "huggingface"):
            out = folder / f"{size}-{form}"
            heedful("export", folder / size, "--to", form, "--out", out)
            places[f"{size} {form}"] = str(out)
    return places


def file_tasks(places: dict[str, str], size: str, beam: int, source: Path) -> dict[str, Task]:
    """All ways to translate a file with the weights of this size."""
    forced = size == "base"
    ours: Task = {"beam": beam} | ({"min_length": 20, "max_length": 20} if forced else {})
    theirs: Task = {"beam_size": beam} | (
        {"min_decoding_length": 20, "max_decoding_length": 20} if forced else {}
    )
    generate: Task = {"num_beams": beam, "early_stopping": beam > 1} | (
        {"min_length": 21, "max_length": 21} if forced else {}
    )
    out = str(source.with_suffix(".out"))
    both: Task = {"source": str(source), "out": out}
    direct = both | {"kind": "ctranslate2", "folder": places[f"{size} ctranslate2"]}
    direct |= {"options": theirs}
    run = both | {"kind": "heedful", "run": places[size], "options": ours}
    hugging = both | {"kind": "huggingface", "folder": places[f"{size} huggingface"]}
    return {
        "heedful": run,
        "heedful int8": run | {"quantize": "int8"},
        "heedful torch": run | {"engine": "torch"},
        "CTranslate2": direct | {"compute_type": "float32"},
        "CTranslate2 int8": direct | {"compute_type": "int8"},
        "Hugging Face": hugging | {"options": generate, "batch": 64},
    }


def one_tasks(places: dict[str, str], source: Path) -> dict[str, Task]:
    """Sentence by sentence, with the tiny model."""
    both: Task = {"source": str(source)}
    direct = both | {
        "kind": "ctranslate2 one", "folder": places["tiny ctranslate2"],
        "options": {"beam_size": 1}, "inter": 1, "intra": 1,
    }  # fmt: skip
    run = both | {"kind": "heedful one", "run": places["tiny"], "options": {"beam": 1}}
    return {
        "heedful": run,
        "heedful int8": run | {"quantize": "int8"},
        "CTranslate2": direct | {"compute_type": "float32"},
        "CTranslate2 int8": direct | {"compute_type": "int8"},
    }


def agreement(run: str, lines: list[str], beam: int) -> dict[str, float]:
    """How many translations of the two engines are the same, and how far their scores differ."""
    import heedful as package

    ours = package.load(run, engine="torch").translate(lines, beam=beam)
    theirs = package.load(run, engine="ctranslate2").translate(lines, beam=beam)
    both = list(zip(ours, theirs, strict=True))
    return {
        "lines": len(lines),
        "same_text": sum(a.text == b.text for a, b in both),
        "largest_difference_of_scores": max(abs(a.score - b.score) for a, b in both),
    }


def main() -> None:
    """Trains, measures, prints a table, keeps the figures."""
    passes = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    data = data_folder() / "multi30k"
    table = Table("what", "who", "sentences/s", "settings")
    figures: dict[str, Any] = {"passes": passes}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        places = prepare(folder, data)
        from heedful.machine import granted_cores

        lines = (data / "test2016.en").read_text(encoding="utf-8").splitlines()
        for size, n in (("tiny", 1000), ("base", 100)):
            for beam in (1, 4):
                source = folder / f"{size}-{beam}.en"
                source.write_text("".join(f"{line}\n" for line in lines[:n]), encoding="utf-8")
                tasks = file_tasks(places, size, beam, source)
                for name in ("CTranslate2", "CTranslate2 int8"):
                    tasks[name] = best_settings(tasks[name], granted_cores())
                seconds = medians(tasks, passes)
                add(table, figures, f"{size}, beam {beam}", n, seconds, tasks)
        for beam in (1, 4):
            figures[f"engines agree, beam {beam}"] = agreement(places["tiny"], lines, beam)
        source = folder / "one.en"
        source.write_text("".join(f"{line}\n" for line in lines[:100]), encoding="utf-8")
        tasks = one_tasks(places, source)
        add(table, figures, "tiny, one by one", 100, medians(tasks, passes), tasks)
    Console().print(table)
    keep("translation_speed", figures, show=False)


def add(
    table: Table,
    figures: dict[str, Any],
    what: str,
    n: int,
    seconds: dict[str, float],
    tasks: dict[str, Task],
) -> None:
    """A row for each way."""
    figures[what] = {}
    for name, took in seconds.items():
        task = tasks[name]
        settings = f"{task['inter']} x {task['intra']}" if "inter" in task else ""
        settings += f", {task['batch']} tokens" if "inter" in task and "batch" in task else ""
        table.add_row(what, name, f"{n / took:,.0f}", settings)
        figures[what][name] = {"sentences_per_second": round(n / took, 1), "settings": settings}


if __name__ == "__main__":
    main()

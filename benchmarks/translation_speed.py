"""How fast are translations, against CTranslate2 itself and Hugging Face's `generate`?

    HEEDFUL_DATA=… python benchmarks/translation_speed.py [passes]

The same weights throughout. A tiny model trained for two minutes translates as long as it likes, by
heedful and by CTranslate2; a tiny and a base one with random weights must write 20 pieces a
sentence, so that Hugging Face's search, which ends by rules of its own, does the same work. From
file to file, tokenising and joining included, loading not. CTranslate2 and Hugging Face get their
best settings, found by search on the same lines. Passes take turns; medians.

Without HEEDFUL_DATA the lines are those of heedful's own generator.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from common import heedful, keep
from heedful.engines.ctranslate2_engine import BATCH_TOKENS
from heedful.engines.sharing import evenly
from heedful.machine import granted_cores
from heedful.text.tokenizer import Tokenizer
from training_speed import PATIENCE
from workload import Texts, make_texts

WORKER = Path(__file__).parent / "translating" / "worker.py"
Task = dict[str, Any]
SEARCH_PASSES = 3
HOPELESS = 1.5  # times as slow as the best: no batch size will mend that
FORCED = 20  # pieces of each translation by a model with random weights


class Worker:
    """A process that translates a file whenever it is asked."""

    def __init__(self, task: Task) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", str(WORKER), json.dumps(task)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | PATIENCE,
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


def best_settings(task: Task, few: Path, batches: Sequence[int]) -> Task:
    """Those with which CTranslate2 is fastest on this machine: workers x threads that are not
    hopeless on a few lines (the wrong ones can be twenty times slower), each with all batch sizes
    on all lines."""
    threads = granted_cores()
    tried = {
        str(inter): task | {"inter": inter, "intra": threads // inter, "batch": 512}
        for inter in {1, threads}
    }
    on_few = {name: way | {"source": str(few)} for name, way in tried.items()}
    seconds = medians(on_few, SEARCH_PASSES)
    hopeful = [name for name, took in seconds.items() if took < HOPELESS * min(seconds.values())]
    return _quickest(tried[name] | {"batch": batch} for name in hopeful for batch in batches)


def _quickest(tasks: Iterable[Task]) -> Task:
    ways = {str(number): task for number, task in enumerate(tasks)}
    seconds = medians(ways, SEARCH_PASSES)
    return ways[min(seconds, key=seconds.__getitem__)]


def prepare(folder: Path, texts: Texts) -> dict[str, Path]:
    """The models, in every form."""
    sides = (
        "--source", texts.train.source, "--target", texts.train.target,
        "--valid-source", texts.valid.source, "--valid-target", texts.valid.target,
        "--set", "text.vocabulary_size=8000", "--data", folder / "data",
    )  # fmt: skip
    untrained = (
        "--steps", "1", "--set", "training.validation_lines=1", "--set", "decoding.max_length=2",
    )  # fmt: skip
    heedful("train", *sides, "--preset", "tiny", "--budget", "2m", "--out", folder / "tiny")
    places = {"tiny": folder / "tiny"}
    for size in ("tiny", "base"):
        name = f"{size} forced"
        places[name] = folder / name
        heedful("train", *sides, "--preset", size, *untrained, "--out", places[name])
        places[f"{name} huggingface"] = exported(places[name], "huggingface")
    for name in ("tiny", "tiny forced", "base forced"):
        places[f"{name} ctranslate2"] = exported(places[name], "ctranslate2")
    return places


def exported(run: Path, form: str) -> Path:
    """The run's model for another toolkit."""
    out = run.with_name(f"{run.name} {form}")
    heedful("export", run, "--to", form, "--out", out)
    return out


def file_tasks(places: dict[str, Path], model: str, beam: int, source: Path) -> dict[str, Task]:
    """All ways to translate a file with this model."""
    forced = model.endswith("forced")
    both: Task = {"source": str(source), "out": str(source.with_suffix(".out"))}
    limits: Task = {"min_length": FORCED, "max_length": FORCED} if forced else {}
    run = both | {"kind": "heedful", "run": str(places[model])}
    run |= {"options": {"beam": beam} | limits}
    limits = {"min_decoding_length": FORCED, "max_decoding_length": FORCED} if forced else {}
    direct = both | {"kind": "ctranslate2", "folder": str(places[f"{model} ctranslate2"])}
    direct |= {"options": {"beam_size": beam} | limits}
    tasks = {
        "heedful": run,
        "heedful int8": run | {"quantize": "int8"},
        "heedful torch": run | {"engine": "torch"},
        "CTranslate2": direct | {"compute_type": "float32"},
        "CTranslate2 int8": direct | {"compute_type": "int8"},
    }
    if forced:
        tasks["Hugging Face"] = both | {
            "kind": "huggingface", "folder": str(places[f"{model} huggingface"]),
            "options": {
                "num_beams": beam, "early_stopping": beam > 1,
                "min_length": FORCED + 1, "max_length": FORCED + 1,  # it counts the start mark
            },
        }  # fmt: skip
    return tasks


def tuned(tasks: dict[str, Task], lengths: list[int], few: Path) -> dict[str, Task]:
    """With the best settings for the others; those that heedful takes are among them."""
    own = evenly(lengths, BATCH_TOKENS, granted_cores())
    found = dict(tasks)
    for name in ("CTranslate2", "CTranslate2 int8"):
        found[name] = best_settings(tasks[name], few, sorted({own, 512, 1024, 2048}))
    if theirs := tasks.get("Hugging Face"):
        found["Hugging Face"] = _quickest(theirs | {"batch": n} for n in (32, 64, 128))
    return found


def one_tasks(places: dict[str, Path], source: Path) -> dict[str, Task]:
    """Sentence by sentence, with the tiny model; also where torch has searched before in the same
    process, whose threads could get in the way."""
    both: Task = {"source": str(source)}
    direct = both | {
        "kind": "ctranslate2 one", "folder": str(places["tiny ctranslate2"]),
        "options": {"beam_size": 1}, "inter": 1, "intra": 1,
    }  # fmt: skip
    run = both | {"kind": "heedful one", "run": str(places["tiny"]), "options": {"beam": 1}}
    return {
        "heedful": run,
        "heedful, torch before": run | {"torch_before": True},
        "heedful int8": run | {"quantize": "int8"},
        "CTranslate2": direct | {"compute_type": "float32"},
        "CTranslate2 int8": direct | {"compute_type": "int8"},
    }


def agreement(run: Path, lines: list[str], beam: int) -> dict[str, Any]:
    """How many translations of the two engines are the same, and how far their scores differ; of
    those that are not, both scores: where they are equal, it was a tie."""
    import heedful as package

    ours = package.load(run, engine="torch").translate(lines, beam=beam)
    theirs = package.load(run, engine="ctranslate2").translate(lines, beam=beam)
    both = list(zip(ours, theirs, strict=True))
    return {
        "lines": len(lines),
        "same_text": sum(a.text == b.text for a, b in both),
        "largest_difference_of_scores": max(abs(a.score - b.score) for a, b in both),
        "scores_of_the_others": [(a.score, b.score) for a, b in both if a.text != b.text],
    }


def cost_of_int8(run: Path, texts: Texts) -> dict[str, float]:
    """BLEU in 32 and in 8 bits."""
    files = "--source", texts.test.source, "--reference", texts.test.target
    ways = {"float32": (), "int8": ("--quantize", "int8")}
    return {
        name: json.loads(heedful("evaluate", run, *files, *way, "--json", capture=True))["bleu"][
            "value"
        ]
        for name, way in ways.items()
    }


def main() -> None:
    """Trains, measures, prints a table, keeps the figures."""
    passes = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    table = Table("what", "who", "sentences/s", "settings")
    figures: dict[str, Any] = {"passes": passes}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        texts = make_texts(folder)
        places = prepare(folder, texts)
        lines = texts.test.source.read_text(encoding="utf-8").splitlines()
        few = write(folder / "few.en", lines[:50])
        for model, n in (("tiny", 1000), ("tiny forced", 1000), ("base forced", 200)):
            source = write(folder / "some.en", lines[:n])
            tokenizer = Tokenizer.load(places[model] / "tokenizer.model")
            lengths = [len(ids) for ids in tokenizer.encode_batch(lines[:n])]
            for beam in (1, 4):
                tasks = tuned(file_tasks(places, model, beam, source), lengths, few)
                seconds = medians(tasks, passes)
                add(table, figures, f"{model}, beam {beam}", n, seconds, tasks)
        figures["bleu"] = cost_of_int8(places["tiny"], texts)
        for beam in (1, 4):
            figures[f"engines agree, beam {beam}"] = agreement(places["tiny"], lines, beam)
        tasks = one_tasks(places, write(folder / "one.en", lines[:100]))
        add(table, figures, "tiny, one by one", 100, medians(tasks, passes), tasks)
    Console().print(table)
    keep("translation_speed", figures, show=False)


def write(path: Path, lines: list[str]) -> Path:
    """A file of these lines."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


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
        unit = "tokens" if "inter" in task else "sentences"
        settings += f" {task['batch']} {unit} a batch" if "batch" in task else ""
        table.add_row(what, name, f"{n / took:,.0f}", settings)
        print(f"{what}: {name} {n / took:,.0f} sentences/s {settings}", file=sys.stderr, flush=True)
        figures[what][name] = {"sentences_per_second": round(n / took, 1), "settings": settings}


if __name__ == "__main__":
    main()

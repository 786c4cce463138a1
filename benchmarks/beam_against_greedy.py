"""Is beam search, as it comes, ever worse than greedy search, and what does its patience cost?

    HEEDFUL_DATA=… python benchmarks/beam_against_greedy.py [passes]

Trains seven small models by steps, four of them with very small target vocabularies, and translates
up to 1,000 unseen lines with each: greedily, by beam 4 with patience 1, and by beam 4 as it comes.
Beam search is worse than greedy search if it loses more whole lines than chance allows (a one-sided
sign test of the lines that only one of them has right) or has a lower chrF (paired approximate
randomisation); both at the level of 5 %. On Multi30k the two beam searches then translate the test
lines in turns, and so do some with other patience: the medians of their processor time, and the
steps of torch's search, are compared with those of patience 1.

Exits with an error if beam search is worse anywhere, or takes more than 1.1 times as long.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import heedful
from common import data_folder, keep
from heedful.demo.corpus import generate
from heedful.engines.torch_engine import TorchEngine
from heedful.evaluation import chrf, compare, exact_match
from heedful.translator import Translator

Pairs = list[tuple[str, str]]
WAYS: dict[str, dict[str, Any]] = {
    "greedy": {"beam": 1},
    "patience 1": {"beam": 4, "patience": 1},
    "beam 4": {"beam": 4},
}
TESTED = 1000  # lines of each task, at most
LEVEL = 0.05
SLOWEST = 1.1  # times as long as with patience 1
QUICK = (
    "training.batch_tokens=1024", "training.schedule=linear", "training.validation_lines=50",
)  # fmt: skip
SMALL = (
    "model.n_layers=2", "model.d_model=64", "model.d_ff=128", "model.n_heads=4",
    "model.dropout=0.0",
)  # fmt: skip

QUICK_LEARNER = ("model.pre_norm=true", "training.optimiser=muon", "training.peak_rate=0.0137")


@dataclass(frozen=True)
class Lesson:
    """What to learn, and how long."""

    train: Pairs
    test: Pairs
    steps: int
    settings: tuple[str, ...]
    options: dict[str, Any]  # further ones of `heedful.train`

    def learn(self, folder: Path) -> Translator:
        """The trained model."""
        folder.mkdir()
        for name, side in zip(("source", "target"), zip(*self.train, strict=True), strict=True):
            (folder / name).write_text("".join(f"{line}\n" for line in side), encoding="utf-8")
        heedful.train(
            out=folder / "run", source=str(folder / "source"), target=str(folder / "target"),
            steps=self.steps, quiet=True, **self.options,
            set=(*QUICK, f"training.validate_every={self.steps}", *self.settings),
        )  # fmt: skip
        return heedful.load(folder / "run", threads=1)


def sequences(words: str, change: Callable[[list[str]], Iterable[str]]) -> tuple[Pairs, Pairs]:
    """10,000 lines of 3 to 15 words, and others to be tested on."""
    draw = random.Random(1)
    lines: dict[tuple[str, ...], None] = {}
    while len(lines) < 10_000 + TESTED:
        lines[tuple(draw.choices(words, k=draw.randint(3, 15)))] = None
    pairs = [(" ".join(line), " ".join(change([*line]))) for line in lines]
    return pairs[:-TESTED], pairs[-TESTED:]


def lessons(data: Path) -> dict[str, Lesson]:
    """All tasks by name."""
    words = {"source_tokens": "words", "target_tokens": "words"}
    digits, luong = "0123456789", ("model.kind=luong", "model.n_layers=1", "model.d_model=64")
    return {
        "copy digits": Lesson(*sequences(digits, list), 800, SMALL, words),
        "sort digits": Lesson(*sequences(digits, sorted), 800, SMALL, words),
        "sort two letters": Lesson(*sequences("ab", sorted), 600, SMALL, words),
        "reverse digits, luong": Lesson(*sequences(digits, reversed_words), 700, luong, words),
        "Korean to sounds": Lesson(
            _table(data / "g2p" / "kor_train.tsv"), _table(data / "g2p" / "kor_test.tsv"),
            1500, (), {"source_tokens": "chars", "target_tokens": "words", "preset": "tiny"},
        ),
        "demo, French": _demo(),
        "Multi30k": Lesson(
            _lines(data / "multi30k", "train"), _lines(data / "multi30k", "test2016"),
            1500, QUICK_LEARNER, {"preset": "tiny"},
        ),
    }  # fmt: skip


def reversed_words(words: list[str]) -> list[str]:
    """The last first."""
    return words[::-1]


def _demo() -> Lesson:
    corpus = generate("fr", seed=1)
    train, test = ([(e.source, e.target) for e in part] for part in (corpus.train, corpus.test))
    settings = (
        "text.algorithm=bpe", "text.vocabulary_size=800", "model.n_layers=2",
        "model.pre_norm=false", "model.dropout=0.0", "training.peak_rate=0.004",
    )  # fmt: skip
    return Lesson(train, test, 1200, settings, {"preset": "tiny"})


def _table(path: Path) -> Pairs:
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return [(word, sounds) for word, sounds in rows]


def _lines(folder: Path, name: str) -> Pairs:
    sides = (folder / f"{name}.{code}" for code in ("en", "de"))
    return list(
        zip(*(side.read_text(encoding="utf-8").splitlines() for side in sides), strict=True)
    )


def judge(model: Translator, test: Pairs) -> dict[str, Any]:
    """Both beam searches beside greedy search."""
    sources, references = ([pair[side] for pair in test[:TESTED]] for side in (0, 1))
    found = {name: [t.text for t in model.translate(sources, **way)] for name, way in WAYS.items()}
    usual = model.settings(**WAYS["beam 4"])
    return {
        "vocabulary": model.card.target_vocabulary,
        "longest": model.card.max_length,
        "patience": usual.candidates / usual.beam,
        "lines": len(sources),
        "exact_match": {n: round(exact_match(texts, references), 2) for n, texts in found.items()},
        "chrf": {n: round(chrf(texts, references), 2) for n, texts in found.items()},
        "worse_than_greedy": {
            name: _is_worse(found["greedy"], found[name], references)
            for name in WAYS
            if name != "greedy"
        },
    }


def _is_worse(greedy: list[str], beam: list[str], references: list[str]) -> bool:
    """Whether it is more than noise."""
    rows = list(zip(greedy, beam, references, strict=True))
    lost = sum(g == r != b for g, b, r in rows)
    won = sum(b == r != g for g, b, r in rows)
    chance = sum(math.comb(lost + won, n) for n in range(lost, lost + won + 1)) / 2 ** (lost + won)
    tested = (
        compare({"greedy": greedy, "beam": beam}, references, bootstrap=0).metrics[1].results[1]
    )
    assert tested.delta is not None
    assert tested.p_value is not None
    return chance < LEVEL or (tested.delta < 0 and tested.p_value < LEVEL)


def cost(model: Translator, sources: list[str], passes: int) -> dict[str, Any]:
    """Of beam 4 as it comes, and with patience for every model, beside patience 1."""
    ways = {name: WAYS[name] for name in ("patience 1", "beam 4")}
    ways |= {f"patience {more}": {"beam": 4, "patience": more} for more in (1.25, 1.5, 2)}
    model.translate(sources[:100], **WAYS["beam 4"])
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(passes):
        for name, way in ways.items():
            started = time.process_time()
            model.translate(sources, **way)
            seconds[name].append(time.process_time() - started)
    medians = {name: statistics.median(some) for name, some in seconds.items()}
    steps = {name: _steps(model, sources[:200], way) for name, way in ways.items()}
    return {
        "processor_seconds": {name: round(median, 3) for name, median in medians.items()},
        "time_ratio": _ratios(medians),
        "steps_ratio": _ratios(steps),
    }


def _ratios(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: round(one / figures["patience 1"], 3) for name, one in figures.items()}


def _steps(model: Translator, sources: list[str], way: dict[str, Any]) -> int:
    """Steps of torch's search, each sentence alone."""
    engine, taken = TorchEngine(model.model), 0

    def count() -> None:
        nonlocal taken
        taken += 1

    for source in sources:
        engine.search(model.planner.plan([source], **way).task, on_step=count)
    return taken


def show(tasks: dict[str, Any], console: Console) -> None:
    """A row for each task."""
    table = Table("task", "words", "patience", *(f"{n}: exact, chrF" for n in WAYS), "worse")
    for task, row in tasks.items():
        scores = [f"{row['exact_match'][n]:.1f}  {row['chrf'][n]:.1f}" for n in WAYS]
        worse = ", ".join(name for name, is_worse in row["worse_than_greedy"].items() if is_worse)
        table.add_row(task, str(row["vocabulary"]), f"{row['patience']:.2f}", *scores, worse)
    console.print(table)


def main() -> None:
    """All tasks; exits with an error if the default is worse or too slow."""
    passes = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    console, tasks, costs = Console(), {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for name, lesson in lessons(data_folder()).items():
            model = lesson.learn(Path(folder) / name)
            tasks[name] = judge(model, lesson.test)
            show({name: tasks[name]}, console)
            if name == "Multi30k":
                costs = cost(model, [source for source, _ in lesson.test], passes)
    show(tasks, console)
    worse = [name for name, row in tasks.items() if row["worse_than_greedy"]["beam 4"]]
    keep("beam_against_greedy", {"tasks": tasks, "multi30k_cost": costs}, show=False)
    console.print("Multi30k beside patience 1:", costs["time_ratio"], costs["steps_ratio"])
    if worse or costs["time_ratio"]["beam 4"] > SLOWEST:
        sys.exit(f"worse than greedy: {worse or 'none'}; times: {costs['time_ratio']}")


if __name__ == "__main__":
    main()

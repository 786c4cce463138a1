"""`heedful compare memory`: the answer is a letter k steps back; who still knows it?

A sentence is some letters without meaning, one that matters, and k letters without meaning after
it. The target is the letter that matters. Trained with k up to 32, asked for k up to 128.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import torch
from rich.console import Console
from rich.progress import Progress

from heedful.batches import Batch
from heedful.batches.batch import make_batch
from heedful.comparison.asked import check_names
from heedful.comparison.learning import check_amounts, learn, make_model
from heedful.comparison.pictures import draw_accuracy
from heedful.comparison.study import make_room, table, write_study
from heedful.machine import use_threads
from heedful.models.seq2seq import AnySeq2Seq
from heedful.recipe import parse
from heedful.text.special import FIRST_WORD

NAME = "memory"
ANSWERS, FILLERS, MOST_BEFORE = 8, 8, 4
VOCABULARY = FIRST_WORD + ANSWERS + FILLERS
TRAINED = 32
ASKED = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128)
LONGEST = ASKED[-1] + MOST_BEFORE + 1
BATCH, JUDGED = 64, 200

MODELS: dict[str, dict[str, Any]] = {
    "tanh": {"kind": "rnn", "cell": "rnn", "n_layers": 1},
    "gru": {"kind": "rnn", "cell": "gru", "n_layers": 1},
    "lstm": {"kind": "rnn", "cell": "lstm", "n_layers": 1},
    "bahdanau": {"kind": "bahdanau"},
    "luong": {"kind": "luong", "n_layers": 1},
    "conv": {"kind": "conv", "n_layers": 2},
    "transformer": {"kind": "transformer", "n_layers": 2, "d_ff": 128, "n_heads": 4,
                    "pre_norm": True},
}  # fmt: skip
"""Members of the family. The encoder-decoder with one vector between comes with each of its cells,
of which only the plain tanh cell has no gates."""
MEANT = {"rnn": "with which cell? tanh, gru or lstm"}


def draw(random: Random, distances: Sequence[int]) -> Batch:
    """A sentence for each distance."""
    sources, targets = [], []
    for k in distances:
        answer = FIRST_WORD + random.randrange(ANSWERS)
        around = [
            FIRST_WORD + ANSWERS + random.randrange(FILLERS)
            for _ in range(random.randint(0, MOST_BEFORE) + k)
        ]
        sources.append([*around[: len(around) - k], answer, *around[len(around) - k :]])
        targets.append([answer])
    return make_batch(sources, targets)


@torch.inference_mode()
def accuracy(model: AnySeq2Seq, k: int, seed: int) -> float:
    """Percent of the answers that are right at this distance."""
    batch = draw(Random(10_000 + seed), [k] * JUDGED)
    memory = model.encode(batch.source, batch.source_mask)
    logits = model.output(model.decode(batch.target_in[:, :1], memory))
    right = logits[:, 0].argmax(-1) == batch.target_out[:, 0]
    return 100 * float(right.float().mean())


def run_memory(
    out: Path,
    models: Sequence[str],
    *,
    steps: int,
    seeds: int,
    console: Console | None = None,
) -> Path:
    """Trains each with each seed, asks, draws, writes -> the report."""
    names = check_names(models, MODELS, MEANT)
    check_amounts(steps=steps, seeds=seeds)
    make_room(out)
    use_threads(None)
    console = console or Console(highlight=False)
    found: dict[str, list[list[float]]] = {name: [] for name in names}  # by seed, then distance
    with Progress(console=console) as progress:
        task = progress.add_task("training", total=len(names) * seeds * steps)
        for name in names:
            for seed in range(1, seeds + 1):
                progress.update(task, description=f"{name}, seed {seed}")
                model = _trained(name, seed, steps, lambda _: progress.advance(task))
                found[name].append([accuracy(model, k, seed) for k in ASKED])
    return _write(out, found, steps, console)


def _trained(name: str, seed: int, steps: int, watch: Callable[[int], None]) -> AnySeq2Seq:
    settings = MODELS[name] | {"d_model": 64, "dropout": 0.0, "tie": "three"}
    config = parse({"model": settings}).model
    model = make_model(config, vocabulary=VOCABULARY, longest=LONGEST, seed=seed)
    random = Random(seed)
    learn(
        model,
        lambda: draw(random, [random.randint(1, TRAINED) for _ in range(BATCH)]),
        steps=steps,
        rate=0.003,
        watch=watch,
    )
    return model


def _write(out: Path, found: dict[str, list[list[float]]], steps: int, console: Console) -> Path:
    by_distance = {name: list(zip(*rows, strict=True)) for name, rows in found.items()}
    means = {name: [statistics.mean(seeds) for seeds in row] for name, row in by_distance.items()}
    draw_accuracy(
        {name: list(zip(ASKED, row, strict=True)) for name, row in by_distance.items()},
        out / f"{NAME}.png",
        chance=100 / ANSWERS,
        trained=TRAINED,
    )
    n_seeds = len(next(iter(found.values())))
    text = [
        "# How far back does each model remember?",
        f"Percent of answers right, the mean of {n_seeds} seed{'s' * (n_seeds > 1)}, after "
        f"{steps:,} steps of {BATCH} sentences with distances of 1 to {TRAINED}; chance is "
        f"{100 / ANSWERS:.1f}. Further than {TRAINED} steps none was ever trained. In the picture "
        f"a band reaches from the worst seed to the best.",
        table(
            ["steps back", *map(str, ASKED)],
            [[name, *(f"{value:.0f}" for value in row)] for name, row in means.items()],
        ),
    ]
    figures = {"steps": steps, "chance": 100 / ANSWERS, "trained_up_to": TRAINED,
               "distances": ASKED, "accuracy_by_seed": found, "mean": means}  # fmt: skip
    return write_study(out, NAME, figures, text, console)

"""Copying and reversing are learnt from scratch: nothing in the whole chain can be badly wrong."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import heedful

from ..trained import write_pairs

SYMBOLS = "abcdefghij"


def sequences(n: int, seed: int) -> list[str]:
    draw = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < n:
        found[" ".join(draw.choices(SYMBOLS, k=draw.randint(1, 10)))] = None
    return list(found)


MODELS: dict[str, tuple[int, tuple[str, ...]]] = {
    "rnn": (1600, ("model.d_model=160", "model.n_layers=1")),
    "bahdanau": (400, ("model.d_model=64",)),
    "luong": (500, ("model.d_model=64", "model.n_layers=1")),
    "conv": (500, ("model.d_model=64", "model.n_layers=2")),
    "transformer": (
        800,
        ("model.n_layers=2", "model.d_model=64", "model.d_ff=128", "model.n_heads=4"),
    ),
}
"""Steps that are enough, and the model's size."""


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("task", ["copy", "reverse"])
def test_it_is_learnt(task: str, kind: str, tmp_path: Path) -> None:
    assert_learnt(task, kind, tmp_path)


@pytest.mark.parametrize("score", ["dot", "additive"])
def test_so_it_is_with_other_scores(score: str, tmp_path: Path) -> None:
    assert_learnt("copy", "transformer", tmp_path, f"model.score={score}")


def assert_learnt(task: str, kind: str, tmp_path: Path, *more: str) -> None:
    def answer(line: str) -> str:
        return line if task == "copy" else line[::-1]

    steps, sizes = MODELS[kind]
    seen = sequences(10_000, seed=1)
    heedful.train(
        out=tmp_path / "run",
        **write_pairs(tmp_path, [(line, answer(line)) for line in seen]).options,
        source_tokens="words",
        target_tokens="words",
        steps=steps,
        threads=1,
        quiet=True,
        set=(
            f"model.kind={kind}", *sizes, *more,
            "model.dropout=0.0", "training.batch_tokens=1024", "training.schedule=linear",
            f"training.validate_every={steps // 2}", "training.validation_lines=50",
        ),
    )  # fmt: skip
    unseen = [line for line in sequences(600, seed=2) if line not in set(seen)][:200]
    assert len(unseen) == 200
    found = heedful.load(tmp_path / "run").translate(unseen, beam=1)
    right = [f.text == answer(line) for f, line in zip(found, unseen, strict=True)]
    assert sum(right) >= 190
    longest = [is_right for is_right, line in zip(right, unseen, strict=True) if len(line) == 19]
    assert sum(longest) >= 0.9 * len(longest) > 20  # of ten symbols

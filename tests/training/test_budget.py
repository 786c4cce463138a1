"""Training by the clock."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path

import pytest

import heedful
from heedful.errors import Interrupted, TrainingError
from heedful.training.budget import FEWEST_STEPS, check_enough
from heedful.training.session import Outcome

from ..trained import TINY, Command, Text, is_told_briefly, metrics, sentences, write_pairs

BUDGET = 12


def train_by_the_clock(out: Path, text: Text) -> Outcome:
    """With steps so short that even a busy machine takes many of them."""
    return heedful.train(
        out=out,
        **text.options,
        budget=f"{BUDGET}s",
        quiet=True,
        threads=1,
        set=(*TINY, "training.batch_tokens=512", "training.validation_lines=5"),
    )


def test_it_ends_in_time_with_a_rate_that_has_come_down(prose_text: Text, tmp_path: Path) -> None:
    out, started = tmp_path / "run", time.monotonic()
    outcome = train_by_the_clock(out, prose_text)
    assert time.monotonic() - started < BUDGET + 8
    assert outcome.steps >= FEWEST_STEPS
    assert BUDGET / 2 < outcome.seconds < BUDGET + 8
    rates = [record["rate"] for record in metrics(out) if "rate" in record]
    assert rates[-1] < max(rates) / 2
    card = heedful.load(out).card
    assert card.training["finished"] is True
    assert card.training["steps"] == outcome.steps


@pytest.fixture(scope="module")
def resumed(prose_text: Text, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, float]:
    """A budgeted run, stopped on its way and resumed; the step it was stopped at; its seconds."""
    out = tmp_path_factory.mktemp("budget") / "run"
    timer = threading.Timer(0.6 * BUDGET, signal.raise_signal, [signal.SIGTERM])
    timer.start()
    try:
        with pytest.raises(Interrupted):
            train_by_the_clock(out, prose_text)
    finally:
        timer.cancel()
    stopped = int(max((out / "checkpoints").iterdir()).name[5:])
    outcome = heedful.train(out=out, resume=True, quiet=True)
    assert outcome.steps > stopped
    return out, stopped, outcome.seconds


def test_time_already_spent_counts(resumed: tuple[Path, int, float]) -> None:
    assert 0.6 * BUDGET < resumed[2] < BUDGET + 6


def test_a_pause_does_not_raise_the_rate_again(resumed: tuple[Path, int, float]) -> None:
    out, stopped, _ = resumed
    records = [record for record in metrics(out) if "rate" in record]
    before = [r["rate"] for r in records if r["step"] <= stopped]
    after = [r["rate"] for r in records if r["step"] > stopped]
    assert max(after) <= before[-1]


def test_too_little_is_refused(prose_text: Text, tmp_path: Path, command: Command) -> None:
    answer = command("train", *prose_text.flags, "--out", tmp_path / "run", "--budget", "1s")
    assert is_told_briefly(answer)
    assert "a budget of 1 s is too small to train anything" in answer.err
    assert "Give at least" in answer.err
    assert not (tmp_path / "run" / "recipe.toml").exists()  # the next try needs no --resume


def test_enough_is_twenty_steps_and_a_little() -> None:
    check_enough(budget=10.0, spent=2.0, step=0.17)  # (2 + 20 · 0.17) / 0.9 + 4 = 10
    with pytest.raises(TrainingError, match=r"preparing took 2\.0 s and one step takes 0\.2 s"):
        check_enough(budget=10.0, spent=2.0, step=0.2)


def test_a_run_can_be_prolonged_by_another_measure(tmp_path: Path) -> None:
    options = write_pairs(tmp_path, sentences()[:80]).options
    heedful.train(out=tmp_path / "run", **options, steps=2, quiet=True, set=TINY)
    outcome = heedful.train(out=tmp_path / "run", resume=True, budget="12s", quiet=True)
    assert outcome.steps > 2
    after = heedful.train(out=tmp_path / "run", resume=True, steps=outcome.steps + 3, quiet=True)
    assert after.steps == outcome.steps + 3

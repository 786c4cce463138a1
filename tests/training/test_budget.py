"""Training by the clock, which ticks each time it is read."""

from __future__ import annotations

import math
import signal
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

import heedful
from heedful.batches.prepared import Prepared, open_prepared
from heedful.errors import Interrupted, TrainingError
from heedful.models.config import KINDS, PRESETS, SIZES, TransformerConfig
from heedful.recipe import parse
from heedful.text.corpus import ParallelCorpus
from heedful.training import budget, reporter
from heedful.training.budget import SpeedProbe, choose_size, layer_weights
from heedful.training.options import TrainOptions
from heedful.training.pace import LEAVING, OVERHEAD
from heedful.training.run import train_run
from heedful.training.session import Outcome

from ..trained import (
    TINY,
    Command,
    Text,
    TickingClock,
    is_told_briefly,
    metrics,
    sentences,
    write_pairs,
)

SECONDS = 15
LADDER = [parse({"model": size}).model for size in SIZES["transformer"]]


def options(out: Path, text: Text | None = None, *changes: str, **more: Any) -> TrainOptions:
    files: dict[str, Any] = dict(text.options) if text else {}
    return TrainOptions(out=out, **files, quiet=True, threads=1, set=changes, **more)


@pytest.fixture(autouse=True, scope="module")
def all_metrics() -> Iterator[None]:
    """Keeps those of every step, not only of some a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reporter, "KEEP_EVERY", 0.0)
        yield


def train_by_the_clock(out: Path, text: Text, *changes: str) -> Outcome:
    asked = options(out, text, *TINY, "training.batch_tokens=512", *changes, budget=f"{SECONDS}s")
    return train_run(asked, clock=TickingClock())


def recipe_of(out: Path) -> dict[str, Any]:
    return tomllib.loads((out / "recipe.toml").read_text())


@pytest.fixture(scope="module")
def finished(prose_text: Text, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Outcome]:
    out = tmp_path_factory.mktemp("budget") / "run"
    return out, train_by_the_clock(out, prose_text)


def test_the_whole_budget_is_used(finished: tuple[Path, Outcome]) -> None:
    assert 0.95 * SECONDS - LEAVING < finished[1].seconds < 1.02 * SECONDS


def test_the_rate_has_come_down(finished: tuple[Path, Outcome]) -> None:
    rates = [record["rate"] for record in metrics(finished[0]) if "rate" in record]
    assert rates[-1] < max(rates) / 2
    card = heedful.load(finished[0]).card
    assert card.training["finished"] is True
    assert card.training["steps"] == finished[1].steps


def test_patience_ends_no_budget(prose_text: Text, tmp_path: Path) -> None:
    """Validations that find no progress do not end it, unless that is asked for."""
    still = ("training.peak_rate=1e-9", "training.validate_every=2")
    whole = train_by_the_clock(tmp_path / "whole", prose_text, *still)
    cut = train_by_the_clock(tmp_path / "cut", prose_text, *still, "training.patience=3")
    assert whole.seconds > 0.9 * SECONDS - LEAVING > cut.seconds


@pytest.fixture(scope="module")
def resumed(
    prose_text: Text, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, int, Outcome]:
    """A run that was stopped on its way and resumed, and the step at which it was stopped."""
    out = tmp_path_factory.mktemp("budget") / "run"

    class Stopping(TickingClock):
        def seconds(self) -> float:
            now = super().seconds()
            if now - 0.01 <= 0.6 * SECONDS < now:
                signal.raise_signal(signal.SIGTERM)
            return now

    asked = options(out, prose_text, *TINY, "training.batch_tokens=512", budget=f"{SECONDS}s")
    with pytest.raises(Interrupted):
        train_run(asked, clock=Stopping())
    stopped = int(max((out / "checkpoints").iterdir()).name[5:])
    return out, stopped, train_run(options(out, resume=True), clock=TickingClock())


def test_time_already_spent_counts(resumed: tuple[Path, int, Outcome]) -> None:
    _, stopped, outcome = resumed
    assert outcome.steps > stopped
    assert 0.9 * SECONDS - LEAVING < outcome.seconds < 1.02 * SECONDS


def test_a_pause_does_not_raise_the_rate_again(resumed: tuple[Path, int, Outcome]) -> None:
    out, stopped, _ = resumed
    records = [record for record in metrics(out) if "rate" in record]
    before = [r["rate"] for r in records if r["step"] <= stopped]
    after = [r["rate"] for r in records if r["step"] > stopped]
    assert max(after) <= before[-1]


def test_too_little_is_refused_before_preparation(
    prose_text: Text, tmp_path: Path, command: Command
) -> None:
    answer = command("train", *prose_text.flags, "--out", tmp_path / "run", "--budget", "1s")
    assert is_told_briefly(answer)
    assert "a budget of 1 s is too short to train anything" in answer.err
    assert "Give at least" in answer.err
    assert not (tmp_path / "run").exists()  # the next try needs no --resume


def test_the_shortest_budget_grows_with_the_text(tmp_path: Path) -> None:
    files = tmp_path / "source", tmp_path / "target"
    for file in files:
        with file.open("wb") as sparse:
            sparse.truncate(30_000_000)
    corpus = ParallelCorpus(*files)
    # 20 of 60 MB to learn from take 10 s, 60 MB to read 4 s, and timing 3 s; 50 steps take 2.5 s.
    budget.check_time_to_prepare(25.1, 2.0, corpus)  # (2 + 10 + 4 + 3 + 2.5 + 1) / 0.9 = 25
    with pytest.raises(TrainingError, match="at least 25s"):
        budget.check_time_to_prepare(24.9, 2.0, corpus)


def test_a_slow_machine_needs_a_longer_budget() -> None:
    budget.check_time_to_train(10.1, 3.0, step=0.1)  # (3 + 50 · 0.1 + 1) / 0.9 = 10
    with pytest.raises(TrainingError, match=r"one step takes 0\.2 s.*at least 16s"):
        budget.check_time_to_train(10.1, 3.0, step=0.2)


@pytest.fixture(scope="module")
def data(finished: tuple[Path, Outcome]) -> Prepared:
    return open_prepared(finished[0] / "data")


@pytest.fixture
def probe(data: Prepared) -> SpeedProbe:
    return SpeedProbe(data, torch.device("cpu"), "muon", bf16=False, clock=TickingClock())


def known_speed(monkeypatch: pytest.MonkeyPatch, speeds: dict[int, float]) -> list[int]:
    """Speeds by the number of a layer's weights -> those that were asked for."""
    asked: list[int] = []

    def tokens_per_second(probe: SpeedProbe, config: TransformerConfig, batch_tokens: int) -> float:
        asked.append(layer_weights(config))
        return speeds[asked[-1]]

    monkeypatch.setattr(SpeedProbe, "tokens_per_second", tokens_per_second)
    return asked


def test_weights_of_layers_by_hand() -> None:
    d, ff = 64, 128
    attention, feed_forward, norm = 4 * (d * d + d), 2 * d * ff + ff + d, 2 * d
    rows = 2 * d  # of the two tables, which have one row each here
    assert layer_weights(LADDER[0]) == 3 * attention + 2 * feed_forward + 5 * norm + rows


def test_the_sizes_go_up() -> None:
    for kind in KINDS:
        weights = [layer_weights(parse({"model": {"kind": kind} | s}).model) for s in SIZES[kind]]
        assert weights == sorted(set(weights))
        assert all(preset in SIZES[kind] for preset in PRESETS[kind].values())


@pytest.mark.parametrize("place", range(1, 7))
def test_the_largest_size_that_sees_enough_tokens_is_taken(
    probe: SpeedProbe, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    """At 1e9 / weights tokens a second, 1.5 tokens a weight take 1.5 · weights² / 1e9 seconds."""
    weights = [layer_weights(config) for config in LADDER]
    asked = known_speed(monkeypatch, {n: 1e9 / n for n in weights})
    just = 1.5 * weights[place] ** 2 / 1e9
    assert choose_size(probe, LADDER, 64, 0.99 * just) == place - 1
    assert choose_size(probe, LADDER, 64, 1.01 * just) == place
    assert max(asked) <= weights[place + 1]  # what is far too large is not even timed


def test_a_larger_size_is_worth_500_steps_at_least(
    probe: SpeedProbe, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = [layer_weights(config) for config in LADDER]
    known_speed(monkeypatch, {n: 1e9 / n for n in weights})
    just = 500 * 4096 * weights[2] / 1e9  # many more tokens than 1.5 for each of its weights
    assert choose_size(probe, LADDER, 4096, 0.99 * just) == 1
    assert choose_size(probe, LADDER, 4096, 1.01 * just) == 2


def test_with_too_little_time_for_any_the_smallest_is_taken(
    probe: SpeedProbe, monkeypatch: pytest.MonkeyPatch
) -> None:
    known_speed(monkeypatch, {layer_weights(LADDER[0]): 1.0})
    assert choose_size(probe, LADDER, 1024, 1.0) == 0


def test_a_slow_machine_gets_a_smaller_model(
    probe: SpeedProbe, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = [layer_weights(config) for config in LADDER]
    just = 1.5 * weights[4] ** 2 / 1e9
    known_speed(monkeypatch, {n: 1e8 / n for n in weights})
    assert choose_size(probe, LADDER, 1024, 1.01 * just) < 4
    assert choose_size(probe, LADDER, 1024, 10.1 * just) == 4


def test_timing_draws_no_random_numbers(probe: SpeedProbe) -> None:
    """A choice made by measuring must not change what is trained."""
    small = TransformerConfig(n_layers=1, d_model=22, d_ff=37, n_heads=2, dropout=0.1)
    before = torch.get_rng_state()
    assert 0 < probe.tokens_per_second(small, 512) < math.inf
    assert 0 < probe.validation_seconds(small) < math.inf
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize(("seconds", "lines"), [(20, 20), (140, 100), (7000, 500)])
def test_a_short_budget_validates_on_few_lines(
    probe: SpeedProbe, monkeypatch: pytest.MonkeyPatch, seconds: float, lines: int
) -> None:
    """A seventh of a twentieth of 140 s is one second, for lines of a hundredth each."""
    assert OVERHEAD == 0.05
    monkeypatch.setattr(SpeedProbe, "validation_seconds", lambda *_: 0.01)
    assert budget.validation_lines(probe, LADDER[0], seconds, most=500) == lines


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_model_is_fitted_to_the_time(
    kind: str, prose_text: Text, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SpeedProbe, "tokens_per_second", lambda *_: 12_000.0)
    asked = options(tmp_path / "run", prose_text, budget="10s", model=kind)
    outcome = train_run(asked, clock=TickingClock())
    assert 9.5 - LEAVING < outcome.seconds < 10.2
    chosen = recipe_of(tmp_path / "run")["model"]
    assert SIZES[kind][0].items() <= chosen.items()


def test_what_the_user_says_of_the_size_stands(prose_text: Text, tmp_path: Path) -> None:
    asked = options(tmp_path / "run", prose_text, "model.d_model=24", budget="9s")
    train_run(asked, clock=TickingClock())
    chosen = recipe_of(tmp_path / "run")["model"]
    assert chosen["d_model"] == 24
    assert chosen["n_heads"] == 4


def test_lines_that_are_asked_for_are_validated(prose_text: Text, tmp_path: Path) -> None:
    train_by_the_clock(tmp_path / "run", prose_text, "training.validation_lines=3")
    assert recipe_of(tmp_path / "run")["training"]["validation_lines"] == 3


def test_a_run_can_be_prolonged_by_another_measure(tmp_path: Path) -> None:
    out, text = tmp_path / "run", write_pairs(tmp_path, sentences()[:80])
    train_run(options(out, text, *TINY, steps=2))
    outcome = train_run(options(out, resume=True, budget="12s"), clock=TickingClock())
    assert outcome.steps > 2
    after = train_run(options(out, resume=True, steps=outcome.steps + 3))
    assert after.steps == outcome.steps + 3

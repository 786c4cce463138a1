"""Training by the clock."""

from __future__ import annotations

import signal
import threading
import time
import tomllib
from pathlib import Path

import pytest
import torch

import heedful
from heedful.batches import make_batch
from heedful.batches.prepared import Facts
from heedful.errors import Interrupted, TrainingError
from heedful.models.config import PRESETS, TransformerConfig
from heedful.training.budget import FEWEST_STEPS, Trial, check_enough
from heedful.training.config import TrainingConfig
from heedful.training.session import Outcome

from ..trained import TINY, Command, Text, is_told_briefly, metrics, sentences, write_pairs
from .samples import facts

BUDGET = 12
BATCH = make_batch([[5, 6, 7]] * 53, [[8, 9, 10, 11]] * 53)  # 265 target tokens
PLENTY = facts(pairs=10_000_000, target_tokens=300_000_000)


def trial(data: Facts) -> Trial:
    return Trial(data, BATCH, torch.device("cpu"), "muon", bf16=False)


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
    ten = TrainingConfig(budget=10)
    check_enough(ten, spent=2.0, step=0.17)  # (2 + 20 · 0.17) / 0.9 + 4 = 10
    with pytest.raises(TrainingError, match=r"preparing took 2\.0 s and one step takes 0\.2 s"):
        check_enough(ten, spent=2.0, step=0.2)


def n_weights(preset: str, *, n_layers: int | None = None) -> int:
    """By hand, with two tables of the 2,003 tokens."""
    sizes = PRESETS["transformer"][preset]
    d, ff = int(sizes["d_model"]), int(sizes["d_ff"])
    n = n_layers or int(sizes["n_layers"])
    attention, feed_forward, norm = 4 * (d * d + d), 2 * d * ff + ff + d, 2 * d
    return n * (3 * attention + 2 * feed_forward + 5 * norm) + 2 * 2003 * d


def seconds_to_fill(preset: str) -> float:
    """In so long it sees as many target tokens as it has weights, if tiny sees 265 a second."""
    return n_weights(preset) / 265 * n_weights(preset) / n_weights("tiny")


@pytest.fixture
def a_known_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Trial, "tokens_per_second", lambda *_: 265.0)


@pytest.mark.usefixtures("a_known_speed")
@pytest.mark.parametrize(
    ("below", "preset"), [("tiny", "small"), ("small", "base"), ("base", "big")]
)
def test_it_picks_the_largest_size_that_the_time_can_fill(below: str, preset: str) -> None:
    def chosen(seconds: float) -> tuple[str, float]:
        return trial(PLENTY).choose_preset(seconds, {})

    just = seconds_to_fill(preset)
    assert chosen(0.999 * just)[0] == below
    name, speed = chosen(1.001 * just)
    assert name == preset
    assert speed == pytest.approx(265 * n_weights("tiny") / n_weights(preset))


@pytest.mark.usefixtures("a_known_speed")
def test_with_too_little_time_for_any_it_picks_the_smallest() -> None:
    assert trial(PLENTY).choose_preset(1.0, {}) == ("tiny", 265.0)


@pytest.mark.usefixtures("a_known_speed")
def test_no_time_makes_up_for_little_data() -> None:
    little = facts(pairs=100_003, target_tokens=2_000_003)
    assert trial(little).choose_preset(1e12, {})[0] == "small"


def test_a_slow_machine_gets_a_smaller_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Trial, "tokens_per_second", lambda *_: 26.5)
    just = seconds_to_fill("base")
    assert trial(PLENTY).choose_preset(9 * just, {})[0] == "small"
    assert trial(PLENTY).choose_preset(11 * just, {})[0] == "base"


def test_what_the_user_says_of_the_size_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    timed: list[TransformerConfig] = []

    def known_speed(trial: Trial, config: TransformerConfig) -> float:
        timed.append(config)
        return 265.0

    monkeypatch.setattr(Trial, "tokens_per_second", known_speed)
    flat = n_weights("small", n_layers=1)
    just = flat / 265 * flat / n_weights("tiny", n_layers=1)
    assert trial(PLENTY).choose_preset(1.001 * just, {"n_layers": 1})[0] == ("small")
    assert timed[0].n_layers == 1
    assert timed[0].d_model == PRESETS["transformer"]["tiny"]["d_model"]


def test_timing_a_step_draws_no_random_numbers() -> None:
    """A choice made by measuring must not change what is trained."""
    small = TransformerConfig(n_layers=1, d_model=22, d_ff=37, n_heads=2, dropout=0.1)
    before = torch.get_rng_state()
    assert trial(PLENTY).tokens_per_second(small) > 0
    assert torch.equal(torch.get_rng_state(), before)


def test_the_speed_is_that_of_the_batches_that_are_trained_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    timed: list[tuple[int, bool]] = []

    def known_speed(trial: Trial, config: TransformerConfig) -> float:
        timed.append((trial.batch.source.numel(), config.pre_norm))
        return 30_000.0 if len(timed) == 1 else 10_000.0

    monkeypatch.setattr(Trial, "tokens_per_second", known_speed)
    heedful.train(
        out=tmp_path / "run", **write_pairs(tmp_path, sentences()).options, budget="20s",
        quiet=True, set=("model.n_layers=1", "training.validation_lines=5"), preset="tiny",
    )  # fmt: skip
    recipe = tomllib.loads((tmp_path / "run" / "recipe.toml").read_text())
    large, small = timed
    assert small[0] <= 1024 < large[0]
    assert small[1]  # as a budget trains
    assert recipe["training"]["batch_tokens"] == 1024


def test_a_run_can_be_prolonged_by_another_measure(tmp_path: Path) -> None:
    options = write_pairs(tmp_path, sentences()[:80]).options
    heedful.train(out=tmp_path / "run", **options, steps=2, quiet=True, set=TINY)
    outcome = heedful.train(out=tmp_path / "run", resume=True, budget="12s", quiet=True)
    assert outcome.steps > 2
    after = heedful.train(out=tmp_path / "run", resume=True, steps=outcome.steps + 3, quiet=True)
    assert after.steps == outcome.steps + 3

"""What training chooses by itself, from the data, the given length and the budget."""

from __future__ import annotations

from typing import Any

import pytest

from heedful.batches.prepared import Facts
from heedful.errors import RecipeError
from heedful.models.config import PRESETS
from heedful.recipe import ResolvedRecipe, Sections
from heedful.training.config import TrainingConfig
from heedful.training.resolve import preset_for_data, resolve, sizes_for_data, with_measure_of

from .samples import facts

SMALL = facts(pairs=3_331, target_tokens=35_026)
MIDDLING = facts(pairs=29_000, target_tokens=391_000)
LARGE = facts(pairs=4_000_000, target_tokens=110_000_000)


def recipe(
    facts: Facts, preset: str = "tiny", given: Sections | None = None, **training: Any
) -> ResolvedRecipe:
    """At 5,000 target tokens a second."""
    tokens = 5000.0 * training["budget"] if "budget" in training else None
    sections = {"training": training} | (given or {})
    size = PRESETS["transformer"][preset]
    return resolve(sections, facts, size=size, threads=3, bf16=False, tokens=tokens)


def resolved(facts: Facts, preset: str = "tiny", **training: Any) -> TrainingConfig:
    return recipe(facts, preset, **training).training


@pytest.mark.parametrize(
    ("data", "preset", "batch_tokens", "warmup"),
    [
        (SMALL, "tiny", 1024, 760),  # 20 epochs of 38 batches: (35,026 + 3,331) / 1,024
        (MIDDLING, "tiny", 4096, 2048),  # 16 · d_model
        (LARGE, "base", 4096, 4000),  # the paper's
    ],
)
def test_batches_and_warm_up_follow_the_data(
    data: Facts, preset: str, batch_tokens: int, warmup: int
) -> None:
    chosen = resolved(data, preset)
    assert (chosen.batch_tokens, chosen.warmup) == (batch_tokens, warmup)
    assert (chosen.optimiser, chosen.schedule) == ("adam", "inverse_sqrt")


def test_a_shorter_warm_up_makes_no_higher_rate_unless_it_was_asked_for() -> None:
    usual = resolved(MIDDLING).peak_rate
    assert usual == pytest.approx((128 * 2048) ** -0.5)
    assert resolved(SMALL).peak_rate == usual
    assert resolved(SMALL, warmup=200).peak_rate == pytest.approx((128 * 200) ** -0.5)


def test_a_straight_way_down_wants_an_end() -> None:
    assert resolved(SMALL, schedule="linear", steps=7).schedule == "linear"
    assert resolved(SMALL, schedule="inverse_sqrt", budget=600).schedule == "inverse_sqrt"
    with pytest.raises(RecipeError, match=r"linear.*give --steps or --budget"):
        resolved(SMALL, schedule="linear")


def test_a_run_of_known_length_warms_up_in_a_tenth_of_it() -> None:
    assert resolved(LARGE, steps=500).warmup == 50
    assert resolved(LARGE, budget=600).warmup == 292  # of 600 s · 5,000 tokens/s / 1,024


def test_a_short_budget_takes_small_batches() -> None:
    chosen = resolved(LARGE, budget=600)
    assert chosen.batch_tokens == 1024
    assert (chosen.optimiser, chosen.schedule) == ("muon", "linear")
    assert resolved(LARGE, budget=86400).batch_tokens == 4096


def test_the_more_passes_a_budget_makes_the_more_is_dropped() -> None:
    # 5,000 tokens a second: 1, 7, 21 and 43 passes over 420,000 tokens.
    for minutes, share in ((2, 0.01), (10, 0.07), (30, 0.21), (60, 0.3)):
        assert recipe(MIDDLING, budget=60 * minutes).model.dropout == share
    assert recipe(MIDDLING, "big", budget=1800).model.dropout == 0.3  # its own
    assert recipe(MIDDLING, given={"model": {"dropout": 0.0}}, budget=3600).model.dropout == 0
    sounds: Sections = {"text": {"source_tokens": "words", "target_tokens": "words"}}
    assert recipe(MIDDLING, given=sounds, budget=3600).model.dropout == 0.1
    assert recipe(MIDDLING, steps=100_000).model.dropout == 0.1  # the paper's


def test_muon_is_bolder_than_the_paper_where_layers_bear_it() -> None:
    papers = (128 * 512) ** -0.5
    assert resolved(LARGE, budget=600).peak_rate == pytest.approx(3.5 * papers)
    assert resolved(LARGE, budget=600, optimiser="adam").peak_rate == pytest.approx(papers)
    assert resolved(LARGE, budget=600, peak_rate=0.002).peak_rate == 0.002
    assert resolved(LARGE, steps=600, optimiser="muon").peak_rate == pytest.approx(
        (128 * 2048) ** -0.5
    )


def test_what_the_user_says_stands() -> None:
    chosen = resolved(SMALL, batch_tokens=777, warmup=33, peak_rate=0.001, optimiser="muon")
    assert (chosen.batch_tokens, chosen.warmup) == (777, 33)
    assert (chosen.peak_rate, chosen.optimiser) == (0.001, "muon")


def test_accumulated_batches_count_as_one() -> None:
    assert resolved(MIDDLING, accumulate=4).batch_tokens == 1024


@pytest.mark.parametrize(
    ("target_tokens", "on_cpu", "on_gpu"),
    [
        (0, "tiny", "tiny"),
        (1_999_999, "tiny", "tiny"),
        (2_000_000, "small", "small"),
        (20_000_000, "small", "base"),  # without a GPU it would take weeks
        (199_999_999, "small", "base"),
        (200_000_000, "small", "big"),
    ],
)
def test_the_size_is_one_that_the_data_can_fill(
    target_tokens: int, on_cpu: str, on_gpu: str
) -> None:
    data = facts(pairs=101, target_tokens=target_tokens)
    assert preset_for_data(data, "transformer", on_gpu=False) == on_cpu
    assert preset_for_data(data, "transformer", on_gpu=True) == on_gpu


def test_a_budget_may_choose_smaller_sizes_than_the_named_ones() -> None:
    sizes = sizes_for_data(SMALL, "transformer")
    assert sizes[0]["n_layers"] == 1
    assert sizes[-1] == PRESETS["transformer"]["tiny"]  # no time makes up for little data
    assert sizes_for_data(LARGE, "transformer")[-1] == PRESETS["transformer"]["base"]


def test_validations_follow_the_steps_or_the_clock() -> None:
    by_steps = resolved(MIDDLING, steps=1000)
    assert (by_steps.validate_every, by_steps.checkpoint_every) == (103, 103)  # once an epoch
    assert (by_steps.patience, by_steps.average) == (10, 5)
    by_clock = resolved(MIDDLING, budget=60)
    assert (by_clock.validate_every, by_clock.checkpoint_every) == (None, None)
    assert (by_clock.patience, by_clock.average) == (None, 1)
    asked = resolved(MIDDLING, budget=60, validate_every=7, patience=3, average=2)
    assert (asked.validate_every, asked.patience, asked.average) == (7, 3, 2)


def test_a_run_that_is_prolonged_by_another_measure_follows_it() -> None:
    by_steps = resolved(MIDDLING, steps=1000).model_dump(exclude_none=True)
    by_clock = resolved(MIDDLING, budget=60).model_dump(exclude_none=True)
    of_clock = with_measure_of({"budget": 90}, by_steps)
    assert not of_clock.keys() & {"steps", "validate_every", "checkpoint_every", "patience"}
    assert of_clock["average"] == 1
    of_steps = with_measure_of({"steps": 2000}, by_clock)
    assert "budget" not in of_steps
    assert (of_steps["validate_every"], of_steps["patience"]) == (100, 10)
    assert with_measure_of({"steps": 2000}, by_steps) == by_steps

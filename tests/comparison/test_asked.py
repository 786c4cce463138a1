"""What a comparison is asked for: how long each is trained, and how that is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from heedful.comparison.asked import contest_of
from heedful.comparison.contest import Contest, announcement
from heedful.training.options import TrainOptions

from ..trained import Text

NAMES = ("rnn", "luong", "conv")


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "recipe.toml"
    path.write_text('[training]\nbudget = "90s"\n', encoding="utf-8")
    return path


def asked(text: Text, tmp_path: Path, *, test: Text | None = None, **options: Any) -> Contest:
    given: dict[str, Any] = text.options | options
    source, target = (str(test.source), str(test.target)) if test else (None, None)
    return contest_of(TrainOptions(out=tmp_path / "report", **given), NAMES, source, target, None)


def test_each_has_five_minutes_unless_told(prose_text: Text, tmp_path: Path) -> None:
    contest = asked(prose_text, tmp_path)
    assert (contest.training.budget, contest.training.preset) == ("5m", "tiny")
    assert contest.conditions().startswith(
        "Each was to train for 300 seconds, and is judged on the va"
    )
    assert announcement(contest, "rnn") == "rnn: 1 of 3, about 15 minutes of training to come"
    assert announcement(contest, "conv") == "conv: 3 of 3, about 5 minutes of training to come"


def test_a_budget_is_kept(prose_text: Text, tmp_path: Path) -> None:
    contest = asked(prose_text, tmp_path, budget="1m", preset="small")
    assert (contest.training.budget, contest.training.preset) == ("1m", "small")
    assert "for 60 seconds, and" in contest.conditions()
    assert announcement(contest, "conv") == "conv: 3 of 3, about 1 minute of training to come"


def test_steps_need_no_budget(prose_text: Text, tmp_path: Path) -> None:
    contest = asked(prose_text, tmp_path, steps=1200)
    assert contest.training.budget is None
    assert contest.conditions().startswith("Each was to train for 1,200 steps, and")
    assert announcement(contest, "luong") == "luong: 2 of 3"


def test_a_recipe_may_have_the_budget(prose_text: Text, tmp_path: Path, recipe: Path) -> None:
    contest = asked(prose_text, tmp_path, recipe=recipe)
    assert contest.training.budget is None  # nor any other in its place
    assert "for 90 seconds, and" in contest.conditions()
    assert announcement(contest, "luong") == "luong: 2 of 3, about 3 minutes of training to come"


def test_a_setting_may_have_the_budget(prose_text: Text, tmp_path: Path) -> None:
    contest = asked(prose_text, tmp_path, set=("training.budget=2m",))
    assert contest.training.budget is None
    assert announcement(contest, "rnn") == "rnn: 1 of 3, about 6 minutes of training to come"


def test_what_is_done_takes_no_time(
    prose_text: Text, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest = asked(prose_text, tmp_path, budget="10m")
    done = contest.run_of("luong")
    monkeypatch.setattr("heedful.comparison.contest.is_finished", lambda run: run == done)
    assert announcement(contest, "rnn") == "rnn: 1 of 3, about 20 minutes of training to come"


def test_lines_of_its_own_are_told(prose_text: Text, tmp_path: Path) -> None:
    told = asked(prose_text, tmp_path, test=prose_text, steps=5).conditions()
    assert told.endswith("judged on lines that none of them was trained on or chosen by.")

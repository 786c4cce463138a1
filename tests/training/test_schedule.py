from __future__ import annotations

import pytest

from heedful.training.pace import Clock, ClockPace, StepPace
from heedful.training.schedule import Schedule, paper_rate


@pytest.mark.parametrize("step", [1, 10, 399, 400, 401, 100_000])
def test_paper_rate_is_equation_three(step: int) -> None:
    expected = 512**-0.5 * min(step**-0.5, step * 400**-1.5)
    assert paper_rate(step, d_model=512, warmup=400) == pytest.approx(expected)


@pytest.mark.parametrize("step", [1, 399, 400, 5000])
def test_the_peak_of_the_paper_gives_the_papers_rate(step: int) -> None:
    peak = (512 * 400) ** -0.5
    expected = paper_rate(step, d_model=512, warmup=400)
    assert Schedule("inverse_sqrt", peak, 400).rate(step, 0.0) == pytest.approx(expected)


def test_linear_rises_and_falls_to_nothing() -> None:
    rate = Schedule("linear", peak=0.5, warmup=10).rate
    assert rate(5, 0.01) == pytest.approx(0.25)
    assert rate(50, 0.5) == pytest.approx(0.25)
    assert rate(99, 1.0) == 0


def test_steps_come_to_an_end_or_not() -> None:
    pace = StepPace(Schedule("linear", peak=1.0, warmup=1), steps=100)
    assert [pace.is_over(99), pace.is_over(100)] == [False, True]
    assert pace.rate(51) == pytest.approx(0.5)
    assert 0 < pace.rate(100) <= 0.011
    endless = StepPace(Schedule("inverse_sqrt", peak=1.0, warmup=1), steps=None)
    assert not endless.is_over(10**9)
    assert endless.share(10**9) is None


def test_the_clock_bends_the_rate() -> None:
    def pace(now: float) -> ClockPace:
        schedule = Schedule("linear", peak=1.0, warmup=1)
        made = ClockPace(schedule, Clock(spent=now), budget=100, begins=10)
        made.keep_in_reserve(10)  # from 10 to 90 there is training
        return made

    assert pace(30).rate(500) == pytest.approx(0.75, abs=1e-3)
    assert pace(86).rate(500) == pytest.approx(0.05, abs=1e-3)
    assert not pace(89).is_over(1)
    assert pace(90.1).is_over(1)

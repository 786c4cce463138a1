"""How fast, and until when: by steps, and by a clock that the tests turn themselves."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest

from heedful.training import pace as module
from heedful.training.config import ResolvedTraining
from heedful.training.pace import LEAVING, Clock, ClockPace, StepPace, make_pace
from heedful.training.schedule import Schedule

from .samples import CHOSEN

PEAK, WARMUP, BUDGET, BEGINS, AT_END = 0.7, 11, 600.0, 13.0, 4.0
UNTIMED = 0.05 * BUDGET / (2 * (2 + AT_END))  # the cost of a validation until one is timed


class Hands:
    """Of a clock: they stand still until somebody moves them."""

    def __init__(self) -> None:
        self.now = 5000.0  # when the machine was started means nothing

    def move(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    made = Hands()
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: made.now))
    return made


def by_the_clock(clock: Clock) -> ClockPace:
    own = {"validate_every": None, "checkpoint_every": None, "schedule": "linear"}
    settings = CHOSEN | {"budget": BUDGET, "peak_rate": PEAK, "warmup": WARMUP} | own
    config = ResolvedTraining(**settings)
    made = make_pace(config, clock, begins=BEGINS, validations_at_end=AT_END)
    assert isinstance(made, ClockPace)
    return made


def train(pace: ClockPace, hands: Hands, *, step_seconds: float, first: int = 1) -> list[float]:
    """Steps until the pace is over -> their rates."""
    rates: list[float] = []
    while not pace.is_over(first + len(rates) - 1):
        rates.append(pace.rate(first + len(rates)))
        hands.move(step_seconds)
    return rates


def test_steps_come_to_an_end_or_not() -> None:
    pace = StepPace(Schedule("linear", peak=1.0, warmup=1), 100, 7, 5)
    assert [pace.is_over(99), pace.is_over(100)] == [False, True]
    assert pace.rate(51) == pytest.approx(0.5)
    assert 0 < pace.rate(100) <= 0.011
    assert [pace.is_validation_due(step) for step in (6, 7, 14)] == [False, True, True]
    assert [pace.is_checkpoint_due(step) for step in (5, 7, 10)] == [True, False, True]
    endless = StepPace(Schedule("inverse_sqrt", peak=1.0, warmup=1), None, 7, 5)
    assert not endless.is_over(10**9)
    assert endless.share(10**9) is None


def test_the_clock_bends_the_rate(hands: Hands) -> None:
    def pace(now: float) -> ClockPace:
        schedule = Schedule("linear", peak=1.0, warmup=1)
        clock = Clock(spent=now)
        made = ClockPace(schedule, clock, budget=100, begins=10, validations_at_end=4)
        made.add_validation(2.25)  # four of them and 1 s to leave: there is training to 90
        return made

    assert pace(30).rate(500) == pytest.approx(0.75)
    assert pace(86).rate(500) == pytest.approx(0.05)
    assert not pace(89).is_over(1)
    assert pace(90).is_over(1)


@pytest.mark.parametrize("step_seconds", [0.23, 1.7, 7.9])
def test_the_rate_has_come_down_to_nearly_nothing(hands: Hands, step_seconds: float) -> None:
    clock = Clock(spent=BEGINS)
    rates = train(by_the_clock(clock), hands, step_seconds=step_seconds)
    top = rates.index(max(rates))
    assert rates[top] > 0.8 * PEAK
    assert rates == sorted(rates[:top]) + sorted(rates[top:], reverse=True)
    assert 0 < rates[-1] < 0.02 * PEAK
    usual = BUDGET - AT_END * UNTIMED - LEAVING
    assert usual <= clock.seconds() < usual + step_seconds


@pytest.mark.parametrize("seconds", [0.7, 24.0])
def test_the_end_of_the_run_is_kept_in_reserve(hands: Hands, seconds: float) -> None:
    clock = Clock(spent=BEGINS)
    pace = by_the_clock(clock)
    hands.move(200)
    pace.add_validation(seconds)
    reserve = AT_END * seconds + LEAVING
    rates = train(pace, hands, step_seconds=0.5, first=401)
    assert 0 < rates[-1] < 0.02 * PEAK
    assert BUDGET - reserve <= clock.seconds() < BUDGET - reserve + 0.5


@pytest.mark.parametrize("seconds", [0.1, 2.0, 5.0])
def test_validations_take_a_twentieth_of_the_budget(hands: Hands, seconds: float) -> None:
    """The few at the end included; on the way as many as fit, with some time between them."""
    clock = Clock(spent=BEGINS)
    pace = by_the_clock(clock)
    times: list[float] = []
    while not pace.is_over(1):
        hands.move(0.5)
        if pace.is_validation_due(1):
            hands.move(seconds)
            pace.add_validation(seconds)
            times.append(clock.seconds())
    assert len(times) * seconds + AT_END * seconds <= 0.05 * BUDGET
    fit = 0.05 * BUDGET / seconds - AT_END
    assert len(times) >= min(16, int(fit) - 1)
    between = [later - earlier for earlier, later in itertools.pairwise([BEGINS, *times])]
    assert min(between, default=BUDGET) >= BUDGET / 20


def test_checkpoints_take_a_hundredth_of_the_time(hands: Hands) -> None:
    pace = by_the_clock(Clock(spent=BEGINS))
    hands.move(29.9)
    assert not pace.is_checkpoint_due(1)
    hands.move(0.2)
    assert pace.is_checkpoint_due(1)
    pace.add_checkpoint(0.5)
    hands.move(49.9)
    assert not pace.is_checkpoint_due(1)
    hands.move(0.2)
    assert pace.is_checkpoint_due(1)


def test_an_end_longer_than_the_budget_ends_it_at_once(hands: Hands) -> None:
    pace = by_the_clock(Clock(spent=BEGINS + 1))
    pace.add_validation(BUDGET)
    assert pace.is_over(1)
    assert pace.rate(2) == 0


def test_time_already_spent_counts(hands: Hands) -> None:
    """A run that took a pause goes on at the rate of one that did not, and ends with it."""
    unbroken = Clock(spent=BEGINS)
    pace = by_the_clock(unbroken)
    hands.move(300)
    rate, spent = pace.rate(700), unbroken.seconds()
    hands.move(86_400)  # asleep
    clock = Clock(spent=spent)
    resumed = by_the_clock(clock)
    assert clock.seconds() == pytest.approx(BEGINS + 300)
    assert resumed.rate(700) == pytest.approx(rate)
    assert 0.4 * PEAK < rate < 0.6 * PEAK
    rates = train(resumed, hands, step_seconds=0.5, first=700)
    assert rates == sorted(rates, reverse=True)
    assert clock.seconds() == pytest.approx(BUDGET - AT_END * UNTIMED - LEAVING, abs=0.51)


def test_a_budget_spent_already_allows_no_step(hands: Hands) -> None:
    assert by_the_clock(Clock(spent=BUDGET)).is_over(3)

"""How fast to learn and when to stop: by steps, or by the clock."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

from heedful.training.config import ResolvedTraining
from heedful.training.schedule import Schedule


class Clock:
    """Wall-clock seconds of a run: those of earlier sessions, and of this one so far."""

    def __init__(self, spent: float = 0.0) -> None:
        self._zero = time.monotonic() - spent

    def seconds(self) -> float:
        """Since the run was started, without the pauses between sessions."""
        return time.monotonic() - self._zero


class Pace(Protocol):
    """What the loop asks before each step."""

    def rate(self, step: int) -> float:
        """The learning rate of this step, the first being 1."""
        ...

    def is_over(self, step: int) -> bool:
        """Whether to stop after this step."""
        ...

    def share(self, step: int) -> float | None:
        """How much of the way is gone, from 0 to 1; None where there is no end in sight."""
        ...

    def keep_in_reserve(self, seconds: float) -> None:
        """So long will that take which comes after the last step."""
        ...


@dataclass(frozen=True)
class StepPace:
    """A number of steps, or no end but early stopping."""

    schedule: Schedule
    steps: int | None

    def rate(self, step: int) -> float:
        return self.schedule.rate(step, progress=self.share(step - 1) or 0.0)

    def is_over(self, step: int) -> bool:
        return self.steps is not None and step >= self.steps

    def share(self, step: int) -> float | None:
        return None if self.steps is None else min(1.0, step / self.steps)

    def keep_in_reserve(self, seconds: float) -> None:
        """Steps do not mind."""


class ClockPace:
    """A budget of seconds: a linear rate has come down to nothing just as they run out.

    What comes after the last step (averaging, the last evaluation) is kept in reserve; the loop
    says how much once it has measured it.
    """

    def __init__(self, schedule: Schedule, clock: Clock, *, budget: float, begins: float) -> None:
        self._schedule, self._clock = schedule, clock
        self._budget, self._begins = budget, begins
        self._reserve = 0.03 * budget + 2

    def keep_in_reserve(self, seconds: float) -> None:
        self._reserve = seconds

    def rate(self, step: int) -> float:
        return self._schedule.rate(step, progress=self.share(step))

    def is_over(self, step: int) -> bool:
        return self.share(step) >= 1

    def share(self, step: int) -> float:
        length = max(1e-9, self._budget - self._reserve - self._begins)
        return min(1.0, max(0.0, (self._clock.seconds() - self._begins) / length))


def make_pace(config: ResolvedTraining, clock: Clock, begins: float) -> Pace:
    """`begins` is when the first step was taken, perhaps long ago."""
    schedule = Schedule(config.schedule, config.peak_rate, config.warmup)
    if config.budget is not None:
        return ClockPace(schedule, clock, budget=config.budget, begins=begins)
    return StepPace(schedule, config.steps)

"""When to validate, save and stop, and how fast to learn: by steps, or by the clock."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

from heedful.training.config import ResolvedTraining
from heedful.training.schedule import Schedule

OVERHEAD = 0.05  # of a budget may go to validating and saving
VALIDATIONS = 20  # in a budget, at most
SAVING = 0.01  # of the time between two checkpoints may go to writing one
SECONDS_BETWEEN_CHECKPOINTS = 30.0
LEAVING = 1.0  # seconds until the process has ended


class Clock:
    """Wall-clock seconds of a run: those of earlier sessions, and of this one so far."""

    def __init__(self, spent: float = 0.0) -> None:
        self._zero = time.monotonic() - spent

    def seconds(self) -> float:
        """Since the run was started, without the pauses between sessions."""
        return time.monotonic() - self._zero

    def add(self, seconds: float) -> None:
        """Count the time of earlier sessions too."""
        self._zero -= seconds


class Pace(Protocol):
    """What the loop asks around each step."""

    def rate(self, step: int) -> float:
        """Return the learning rate of this step, the first being 1."""
        ...

    def is_over(self, step: int) -> bool:
        """Return whether to stop after this step."""
        ...

    def share(self, step: int) -> float | None:
        """Return how much of the way is gone, from 0 to 1; None where there is no end in sight."""
        ...

    def is_validation_due(self, step: int) -> bool:
        """Return whether to validate after this step."""
        ...

    def is_checkpoint_due(self, step: int) -> bool:
        """Return whether to save a checkpoint after this step."""
        ...

    def add_validation(self, seconds: float) -> None:
        """Take note of what a validation has cost."""
        ...

    def add_checkpoint(self, seconds: float) -> None:
        """Take note of what a checkpoint has cost."""
        ...


@dataclass(frozen=True)
class StepPace:
    """A number of steps, or no end but early stopping."""

    schedule: Schedule
    steps: int | None
    validate_every: int
    checkpoint_every: int

    def rate(self, step: int) -> float:
        return self.schedule.rate(step, progress=self.share(step - 1) or 0.0)

    def is_over(self, step: int) -> bool:
        return self.steps is not None and step >= self.steps

    def share(self, step: int) -> float | None:
        return None if self.steps is None else min(1.0, step / self.steps)

    def is_validation_due(self, step: int) -> bool:
        return step % self.validate_every == 0

    def is_checkpoint_due(self, step: int) -> bool:
        return step % self.checkpoint_every == 0

    def add_validation(self, seconds: float) -> None:
        """Steps take as long as they take."""

    def add_checkpoint(self, seconds: float) -> None:
        """Steps take as long as they take."""


class ClockPace:
    """A budget of seconds: a linear rate reaches zero just as they run out.

    Of the budget, OVERHEAD may go to validating and saving. What the end of the run needs of that
    (the last validations) is kept in reserve, in proportion to the last validation's cost; the
    rest is spent on validations on the way, the later the more.
    """

    def __init__(
        self,
        schedule: Schedule,
        clock: Clock,
        *,
        budget: float,
        begins: float,
        validations_at_end: float,
        validate_every: int | None = None,
        checkpoint_every: int | None = None,
    ) -> None:
        """`begins` is when the first step was taken, perhaps in an earlier session. What comes
        after the last step costs as much as `validations_at_end` validations."""
        self._schedule, self._clock = schedule, clock
        self._budget, self._begins = budget, begins
        self._at_end = validations_at_end
        self._validate_every, self._checkpoint_every = validate_every, checkpoint_every
        self._validation = OVERHEAD * budget / (2 * (2 + validations_at_end))  # until one is timed
        self._checkpoint = 0.0
        self._spent = 0.0
        self._validated = self._saved = max(begins, clock.seconds())

    def rate(self, step: int) -> float:
        return self._schedule.rate(step, progress=self.share(step))

    def is_over(self, step: int) -> bool:
        return self.share(step) >= 1

    def share(self, step: int) -> float:
        length = max(1e-9, self._budget - self._reserve - self._begins)
        return min(1.0, max(0.0, (self._clock.seconds() - self._begins) / length))

    def is_validation_due(self, step: int) -> bool:
        if self._validate_every is not None:
            return step % self._validate_every == 0
        share = self.share(step)
        left = self._budget - self._reserve - self._clock.seconds()
        rested = self._clock.seconds() - self._validated >= self._budget / VALIDATIONS
        allowed = share * (OVERHEAD * self._budget - self._overhead_at_end)
        worth_it = left > self._budget / VALIDATIONS  # the last one comes soon enough
        return rested and worth_it and self._spent + self._validation <= allowed

    def is_checkpoint_due(self, step: int) -> bool:
        if self._checkpoint_every is not None:
            return step % self._checkpoint_every == 0
        between = max(SECONDS_BETWEEN_CHECKPOINTS, self._checkpoint / SAVING)
        return self._clock.seconds() - self._saved >= between

    def add_validation(self, seconds: float) -> None:
        self._validation = seconds
        self._spent += seconds
        self._validated = self._clock.seconds()

    def add_checkpoint(self, seconds: float) -> None:
        self._checkpoint = seconds
        self._spent += seconds
        self._saved = self._clock.seconds()

    @property
    def _overhead_at_end(self) -> float:
        """Seconds of validating and saving after the last step."""
        return self._at_end * self._validation + self._checkpoint

    @property
    def _reserve(self) -> float:
        """Seconds from the last step to the end of the process."""
        return self._overhead_at_end + LEAVING


def make_pace(
    config: ResolvedTraining, clock: Clock, begins: float, validations_at_end: float
) -> Pace:
    """Build the pace of a run; see ClockPace for `begins` and `validations_at_end`."""
    schedule = Schedule(config.schedule, config.peak_rate, config.warmup)
    if config.budget is not None:
        return ClockPace(
            schedule,
            clock,
            budget=config.budget,
            begins=begins,
            validations_at_end=validations_at_end,
            validate_every=config.validate_every,
            checkpoint_every=config.checkpoint_every,
        )
    assert config.validate_every is not None
    assert config.checkpoint_every is not None
    return StepPace(schedule, config.steps, config.validate_every, config.checkpoint_every)

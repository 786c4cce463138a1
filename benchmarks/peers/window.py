"""What the training programs share: the job, and the stretch of time in which tokens are counted.

Each program is run by its own peer's python, so this file needs nothing but Python itself.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

WARM_UP_STEPS = 3  # at least: the first ones fetch memory and fill caches
SAME = {"dropout": 0.1, "label_smoothing": 0.1, "beta2": 0.98, "warm_up": 4000}
"""What every peer is given; the paper's."""


@dataclass(frozen=True)
class Job:
    """What to train, on what, for how long."""

    text: str  # folder with source and target, ids as words, and the vocabulary
    heedful: dict[str, Any]  # what heedful.train takes for the same text
    out: str  # an empty folder
    n_layers: int
    d_model: int
    d_ff: int
    n_heads: int
    vocabulary: int
    pairs: int
    batch_tokens: int
    threads: int
    warm_up_seconds: float
    seconds: float


class Over(Exception):  # noqa: N818 - it is no error
    """The window is full: leave the trainer."""


class Window:
    """Counts the real tokens of whole steps, from the end of the warm-up on."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._warm_up_steps = 0
        self._first = self._began = self._now = 0.0
        self._others = Others()
        self.steps = self.source = self.target = 0

    def step(self, source: int, target: int) -> None:
        """To be called at the end of each step, with its tokens. Raises Over at the end."""
        self._now = time.perf_counter()
        if not self._began:
            self._warm_up(self._now)
            return
        self.steps += 1
        self.source += source
        self.target += target
        if self._now - self._began >= self._job.seconds:
            raise Over

    def _warm_up(self, now: float) -> None:
        self._first = self._first or now
        self._warm_up_steps += 1
        long_enough = now - self._first >= self._job.warm_up_seconds
        if long_enough and self._warm_up_steps >= WARM_UP_STEPS:
            self._others = Others()
            self._began = now

    def report(self) -> dict[str, float]:
        """Of the window; but memory of the whole process."""
        return {
            "steps": self.steps,
            "seconds": self._now - self._began,
            "source_tokens": self.source,
            "target_tokens": self.target,
            "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            "others": self._others.cores(),
        }


class Others:
    """What else the machine did since now: a rate that was measured beside it says little."""

    def __init__(self) -> None:
        self._began, self._busy, self._ours = time.perf_counter(), _busy(), time.process_time()

    def cores(self) -> float:
        """How many cores other programs, or other guests of the host, kept busy on average."""
        busy, ours = _busy() - self._busy, time.process_time() - self._ours
        return max(0.0, busy - ours) / (time.perf_counter() - self._began)


def _busy() -> float:
    """Seconds that all cores together were not idle; nothing where the system does not tell."""
    try:
        with Path("/proc/stat").open(encoding="ascii") as file:
            user, nice, system, _, _, irq, soft, stolen = map(int, file.readline().split()[1:9])
    except OSError:
        return 0.0
    return (user + nice + system + irq + soft + stolen) / os.sysconf("SC_CLK_TCK")


def measure(train: Callable[[Job, Window], None]) -> None:
    """Runs a peer's training until the window is full; the last line that it prints is JSON."""
    job = Job(**json.loads(sys.argv[1]))
    window = Window(job)
    try:
        train(job, window)
    except Over:
        print("\n" + json.dumps(window.report()), flush=True)
    else:
        _ended_early()


def _ended_early() -> NoReturn:
    sys.exit("training ended before the window was full")

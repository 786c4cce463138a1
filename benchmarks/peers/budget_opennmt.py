"""OpenNMT-py's part of `peer_budget.py`: its own trainer, for as long as the budget lasts."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from onmt.trainer import Trainer

from train_opennmt import options, run
from window import Job, Others

PEAK, WARM_UP = 0.004, 300


@dataclass(frozen=True)
class Budget(Job):
    """Its seconds count from a moment before this process was there."""

    started: float  # time.time()

    def lasts(self) -> bool:
        """Whether another batch may begin."""
        return time.time() < self.started + self.seconds


def tuned(job: Job) -> dict[str, Any]:
    """The rate is `learning_rate` · d_model^-½ · min(step^-½, step · warm_up^-³⁄₂): highest, and
    PEAK, at step WARM_UP."""
    factor = PEAK * (job.d_model * WARM_UP) ** 0.5
    return options(job) | {"learning_rate": factor, "warmup_steps": WARM_UP}


def end_in_time(budget: Budget) -> None:
    """The trainer gets no more batches when time is over. So its loop ends, and it saves."""
    train, others = Trainer.train, Others()

    def in_time(self: Any, batches: Any, *rest: Any, **more: Any) -> Any:
        total = train(self, takewhile(lambda _: budget.lasts(), batches), *rest, **more)
        figures = {
            "steps": total.n_batchs,
            "source_tokens": total.n_src_words,
            "target_tokens": total.n_words,
            "others": round(others.cores(), 2),
        }
        print("\n" + json.dumps(figures), flush=True)
        return total

    Trainer.train = in_time


if __name__ == "__main__":
    given = Budget(**json.loads(sys.argv[1]))
    end_in_time(given)
    run(given, tuned(given))

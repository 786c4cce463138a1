"""The training loop: rate, batch, loss, backward, clip, step, log, validate, save."""

from __future__ import annotations

import math
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import torch
from torch import nn

from heedful.batches import Batch
from heedful.errors import Interrupted, TrainingError
from heedful.models.seq2seq import AnySeq2Seq
from heedful.training import checkpoint
from heedful.training.checkpoint import Progress
from heedful.training.config import ResolvedTraining
from heedful.training.feed import Feed
from heedful.training.pace import Clock, Pace
from heedful.training.reporter import Reporter
from heedful.training.team import Team


@dataclass
class Run:
    """What the loop works on."""

    model: AnySeq2Seq
    optimiser: torch.optim.Optimizer
    team: Team
    feed: Feed
    progress: Progress
    config: ResolvedTraining
    pace: Pace
    clock: Clock
    checkpoints: Path
    reporter: Reporter
    validate: Callable[[], None]
    """Looks at the validation set, and keeps the model if it is the best."""

    def is_over(self) -> bool:
        """Return whether the step or time limit is reached, or patience has run out."""
        patience = self.config.patience
        impatient = patience is not None and self.progress.since_best >= patience
        return impatient or self.pace.is_over(self.progress.step)


def train(run: Run) -> None:
    """Trains until the pace is over, validation says stop, or a signal comes."""
    config, progress = run.config, run.progress
    run.model.train()
    with _signals() as caught:
        while not run.is_over():
            rate = run.pace.rate(progress.step + 1)
            batches = [run.feed.next(progress) for _ in range(config.accumulate)]
            loss = _backward(run, batches)
            _clip(run)
            for group in run.optimiser.param_groups:
                group["lr"] = rate
            run.optimiser.step()
            run.optimiser.zero_grad(set_to_none=True)
            progress.step += 1
            progress.seconds = run.clock.seconds()
            share = run.pace.share(progress.step)
            run.reporter.step(progress, loss, rate, sum(b.n_tokens for b in batches), share)

            if run.pace.is_validation_due(progress.step):
                run.validate()
            if run.pace.is_checkpoint_due(progress.step) or caught:
                save(run)
            if caught:
                raise Interrupted(caught[0])


def save(run: Run) -> None:
    """Write a checkpoint of this very moment, and drop the oldest."""
    config, started = run.config, run.clock.seconds()
    checkpoint.save(run.checkpoints, run.model, run.optimiser, run.progress)
    checkpoint.prune(run.checkpoints, keep=config.keep_checkpoints, every=config.checkpoint_every)
    run.pace.add_checkpoint(run.clock.seconds() - started)


def _backward(run: Run, batches: list[Batch]) -> float:
    """Gradients of the loss per real token, over all batches of the step -> the plain loss."""
    n_tokens = sum(batch.n_tokens for batch in batches)
    total = 0.0
    for batch in batches:
        plain = run.team.backward(batch, n_tokens)
        if not math.isfinite(plain):
            raise _not_finite(run, "loss", plain)
        total += plain
    return total / n_tokens


def _clip(run: Run) -> None:
    """Shortens the gradient if asked to; one that is not finite must not reach the weights."""
    gradients = [p.grad for p in run.model.parameters() if p.grad is not None]
    norm = nn.utils.get_total_norm(gradients)
    if not torch.isfinite(norm):
        raise _not_finite(run, "gradient", float(norm))
    if run.config.clip_norm is not None:
        nn.utils.clip_grads_with_norm_(run.model.parameters(), run.config.clip_norm, norm)


def _not_finite(run: Run, what: str, value: float) -> TrainingError:
    kept = checkpoint.saved(run.checkpoints)
    last = f"The last good checkpoint is {kept[-1]}" if kept else "No checkpoint was saved yet"
    return TrainingError(
        f"the {what} became {value} at step {run.progress.step + 1}: the rate "
        f"({run.pace.rate(run.progress.step + 1):.2g}) is probably too high. {last}; try a lower "
        f"training.peak_rate, a longer training.warmup, training.clip_norm=1, or for a Transformer "
        f"model.pre_norm=true"
    )


@contextmanager
def _signals() -> Iterator[list[int]]:
    """Collects SIGINT and SIGTERM, so that the step at hand is finished and saved first."""
    caught: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        if caught:  # asked twice: at once, then
            raise KeyboardInterrupt
        caught.append(number)

    try:
        before = {s: signal.signal(s, note) for s in (signal.SIGINT, signal.SIGTERM)}
    except ValueError:  # not the main thread: signals are somebody else's
        yield caught
        return
    try:
        yield caught
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

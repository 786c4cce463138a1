"""Training by the clock: how fast is this machine, and which model can it train in the time?"""

from __future__ import annotations

import time
from typing import Any

import torch

from heedful.batches import Batch
from heedful.batches.prepared import Facts
from heedful.errors import TrainingError
from heedful.models.build import build
from heedful.models.config import PRESETS, ModelConfig
from heedful.recipe import parse
from heedful.training.config import TrainingConfig
from heedful.training.loop import batch_loss, make_optimiser
from heedful.training.resolve import preset_for_data

FEWEST_STEPS = 20  # below that no model learns anything


def step_seconds(config: ModelConfig, facts: Facts, batch: Batch, device: torch.device) -> float:
    """The time of one training step of a throw-away model: the quickest of three, after a first."""
    with torch.random.fork_rng():
        model = build(config, **_sizes(facts)).to(device).train()
        optimiser = make_optimiser(model, TrainingConfig(optimiser="muon"))  # as with a budget
        times = []
        for _ in range(4):
            started = time.monotonic()
            loss, _ = batch_loss(model, batch.to(device), smoothing=0.1)
            torch.autograd.backward(loss / batch.n_tokens)
            optimiser.step()
            optimiser.zero_grad()
            times.append(time.monotonic() - started)
    return min(times[1:])


def choose_preset(
    facts: Facts, batch: Batch, device: torch.device, *, seconds: float, model: dict[str, Any]
) -> tuple[str, float]:
    """The largest size that sees at least as many target tokens in the time as it has weights, and
    that the data can fill; with the seconds of one of its steps.

    Only the smallest is timed; a larger one takes longer in proportion to its multiplications.
    """
    tiny = step_seconds(_sized("tiny", model), facts, batch, device)
    best = ("tiny", tiny)
    largest = preset_for_data(facts, on_gpu=True)
    cost_of_tiny = _weights(_sized("tiny", model), facts)
    for name in PRESETS:
        n_weights = _weights(_sized(name, model), facts)
        estimate = tiny * n_weights / cost_of_tiny
        if batch.n_tokens * seconds / estimate >= n_weights:
            best = (name, estimate)
        if name == largest:
            break
    return best


def _sized(preset: str, model: dict[str, Any]) -> ModelConfig:
    return parse({"model": PRESETS[preset] | model}).model


def check_enough(budget: float, spent: float, step: float) -> None:
    """A budget in which nothing can be learnt is refused before it is wasted."""
    needed = (spent + FEWEST_STEPS * step) / 0.9 + 4
    if budget < needed:
        raise TrainingError(
            f"a budget of {budget:.0f} s is too small to train anything: preparing took "
            f"{spent:.1f} s and one step takes {step:.2g} s. Give at least {needed:.0f}s"
        )


def _weights(config: ModelConfig, facts: Facts) -> int:
    with torch.device("meta"):
        return sum(p.numel() for p in build(config, **_sizes(facts)).parameters())


def _sizes(facts: Facts) -> dict[str, int]:
    return {
        "source_vocabulary": facts.source_vocabulary,
        "target_vocabulary": facts.target_vocabulary,
        "max_length": facts.max_length,
    }

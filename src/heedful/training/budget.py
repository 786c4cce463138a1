"""Training by the clock: how fast is this machine, and which model can it train in the time?"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import torch

from heedful.batches import Batch
from heedful.batches.prepared import Facts
from heedful.errors import TrainingError
from heedful.models.build import build
from heedful.models.config import PRESETS, ModelConfig, kind_of
from heedful.recipe import parse
from heedful.training.config import Optimiser, TrainingConfig
from heedful.training.optimiser import make_optimiser
from heedful.training.resolve import preset_for_data
from heedful.training.team import Team

FEWEST_STEPS = 20  # below that no model learns anything


@dataclass(frozen=True)
class Trial:
    """Times steps of throw-away models, on this machine and data."""

    facts: Facts
    batch: Batch
    device: torch.device
    optimiser: Optimiser
    bf16: bool

    def tokens_per_second(self, config: ModelConfig) -> float:
        """Of the quickest of three steps, after a first."""
        n_tokens = self.batch.n_tokens
        with torch.random.fork_rng():
            model = build(config, **_sizes(self.facts)).to(self.device).train()
            optimiser = make_optimiser(model, TrainingConfig(optimiser=self.optimiser))
            team = Team(
                model,
                threads=torch.get_num_threads(),
                batch_tokens=n_tokens,
                smoothing=0.1,
                bf16=self.bf16,
            )
            times = []
            for _ in range(4):
                started = time.monotonic()
                team.backward(self.batch, n_tokens)
                optimiser.step()
                optimiser.zero_grad()
                times.append(time.monotonic() - started)
        return n_tokens / min(times[1:])

    def choose_preset(self, seconds: float, model: dict[str, Any]) -> tuple[str, float]:
        """The largest size that sees at least as many target tokens in the time as it has weights,
        and that the data can fill; with its tokens a second.

        Only the smallest is timed; a larger one takes longer in proportion to its multiplications.
        """
        tiny = self.tokens_per_second(_sized("tiny", model))
        best = ("tiny", tiny)
        kind = kind_of(model)
        largest = preset_for_data(self.facts, kind, on_gpu=True)
        cost_of_tiny = _weights(_sized("tiny", model), self.facts)
        for name in PRESETS[kind]:
            n_weights = _weights(_sized(name, model), self.facts)
            estimate = tiny * cost_of_tiny / n_weights
            if seconds * estimate >= n_weights:
                best = (name, estimate)
            if name == largest:
                break
        return best


def _sized(preset: str, model: dict[str, Any]) -> ModelConfig:
    return parse({"model": PRESETS[kind_of(model)][preset] | model}).model


def check_enough(config: TrainingConfig, spent: float, step: float) -> None:
    """A budget in which nothing can be learnt is refused before it is wasted."""
    needed = (spent + FEWEST_STEPS * step) / 0.9 + 4
    if config.budget is not None and config.budget < needed:
        raise TrainingError(
            f"a budget of {config.budget:.0f} s is too small to train anything: preparing took "
            f"{spent:.1f} s and one step takes {step:.2g} s. Give at least "
            f"{math.ceil(needed)}s"
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

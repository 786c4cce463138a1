"""Training by the clock: which size is worth most in the time that is left?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from heedful.batches.prepared import Facts, Prepared
from heedful.decoding.config import DecodingConfig
from heedful.engines.engine import Task
from heedful.engines.torch_engine import TorchEngine
from heedful.errors import TrainingError
from heedful.models.build import build
from heedful.models.config import ModelConfig
from heedful.models.seq2seq import AnySeq2Seq
from heedful.recipe import ResolvedRecipe
from heedful.text.corpus import ParallelCorpus
from heedful.training.checkpoint import Progress
from heedful.training.config import Optimiser, TrainingConfig
from heedful.training.feed import Feed
from heedful.training.optimiser import make_optimiser
from heedful.training.pace import OVERHEAD, Clock
from heedful.training.resolve import FEWEST_BATCH_TOKENS
from heedful.training.team import Team

TOKENS_A_WEIGHT = 1.5
"""Target tokens that a layer's weight must see before more weights are worth their time. Measured
with 30 s to 10 minutes on three corpora: see docs/experiments.md."""
STEPS_OF_LARGER = 500
"""Steps that any size but the smallest must be able to take."""
FEWEST_STEPS = 50  # fewer train nothing
TIMED_STEPS = 3  # after a first one, which is slower
TIMED_LINES = 20
LEARNING_RATE_OF_TEXT = 2e6  # bytes a second while a vocabulary is learnt, on a quick machine
READING_RATE = 15e6  # bytes a second of what is read but not learnt from
TIMING = 3.0  # seconds to choose a size and build the model
LEARNT_BYTES = 20e6  # a vocabulary is learnt from a sample of about this size


@dataclass(frozen=True)
class SpeedProbe:
    """Times steps of throw-away models on this machine and data, beside whatever else it does."""

    data: Prepared
    device: torch.device
    optimiser: Optimiser
    bf16: bool
    clock: Clock

    def tokens_per_second(self, config: ModelConfig, batch_tokens: int) -> float:
        """Train some steps -> target tokens a second."""
        feed, progress = Feed(self.data.train, batch_tokens=batch_tokens, seed=0), Progress()
        with self._model(config) as model:
            optimiser = make_optimiser(model, TrainingConfig(optimiser=self.optimiser))
            team = Team(
                model.train(),
                threads=torch.get_num_threads(),
                batch_tokens=batch_tokens,
                smoothing=0.1,
                bf16=self.bf16,
            )
            for step in range(1 + TIMED_STEPS):
                if step == 1:
                    started, progress.tokens = self.clock.seconds(), 0
                batch = feed.next(progress)
                team.backward(batch, batch.n_tokens)
                optimiser.step()
                optimiser.zero_grad()
        return progress.tokens / max(1e-9, self.clock.seconds() - started)

    def validation_seconds(self, config: ModelConfig) -> float:
        """Search for the translations of TIMED_LINES lines, as long as usual -> seconds a line."""
        store = self.data.valid
        sources, targets = store.pairs(range(min(TIMED_LINES, len(store))))
        limits = [len(target) + 1 for target in targets]
        ids = [source.tolist() for source in sources]
        search = Task(DecodingConfig(beam=1), 1, ids, limits, [[]] * len(ids))
        with self._model(config) as model:
            started = self.clock.seconds()
            TorchEngine(model.eval()).search(search)
            return (self.clock.seconds() - started) / len(sources)

    @contextmanager
    def _model(self, config: ModelConfig) -> Iterator[AnySeq2Seq]:
        """Build a model that leaves no trace in the random numbers of the run."""
        with torch.random.fork_rng():
            yield build(config, **_sizes(self.data.facts)).to(self.device)


def fit_to_budget(
    choose: Callable[..., ResolvedRecipe],
    sizes: list[dict[str, Any]],
    probe: SpeedProbe,
    given: TrainingConfig,
) -> ResolvedRecipe:
    """Choose the size that is worth most in the time that is left, and all that follows from its
    speed. `choose(size=…, tokens=…)` is `resolve` with everything else known."""
    budget = given.budget or 0.0

    def seconds_left() -> float:
        return (1 - OVERHEAD) * budget - probe.clock.seconds()

    few = given.batch_tokens or FEWEST_BATCH_TOKENS
    models = [choose(size=size).model for size in sizes]
    size = sizes[choose_size(probe, models, few, seconds_left())] if len(sizes) > 1 else sizes[0]
    speed = probe.tokens_per_second(choose(size=size).model, few)
    recipe = choose(size=size, tokens=seconds_left() * speed)
    if recipe.training.batch_tokens != few:  # larger batches are quicker
        speed = probe.tokens_per_second(recipe.model, recipe.training.batch_tokens)
        recipe = choose(size=size, tokens=seconds_left() * speed)
    step = recipe.training.batch_tokens * given.accumulate / speed
    check_time_to_train(budget, probe.clock.seconds(), step)
    if "validation_lines" in given.model_fields_set:
        return recipe
    lines = validation_lines(probe, recipe.model, budget, most=given.validation_lines)
    training = recipe.training.model_copy(update={"validation_lines": lines})
    return recipe.model_copy(update={"training": training})


def choose_size(
    probe: SpeedProbe, sizes: list[ModelConfig], batch_tokens: int, seconds: float
) -> int:
    """Return the place of the largest size that can take STEPS_OF_LARGER steps in these seconds,
    and whose layers see TOKENS_A_WEIGHT target tokens for each of their weights; the first if none.

    Larger models learn more from a token, but see fewer in the time. `sizes` go from the fewest
    weights to the most. Those that are far from fitting are not timed.
    """
    best, speed, weights = 0, math.inf, 1
    for place, config in enumerate(sizes):
        n_weights = layer_weights(config)
        wanted = max(TOKENS_A_WEIGHT * n_weights, STEPS_OF_LARGER * batch_tokens)
        expected = speed * weights / n_weights  # at least: wide layers are quicker for their size
        if place and seconds * expected < wanted / 2:
            break
        speed, weights = probe.tokens_per_second(config, batch_tokens), n_weights
        if place and seconds * speed < wanted:
            break
        best = place
    return best


def layer_weights(config: ModelConfig) -> int:
    """Count the weights of a model without its embeddings, of which a token needs few rows."""
    with torch.device("meta"):
        model = build(config, source_vocabulary=1, target_vocabulary=1, max_length=1)
    return sum(weight.numel() for weight in model.parameters())


def validation_lines(probe: SpeedProbe, config: ModelConfig, budget: float, most: int) -> int:
    """Return how many lines a validation can translate so that it takes a seventh of OVERHEAD."""
    affordable = OVERHEAD / 7 * budget / max(1e-9, probe.validation_seconds(config))
    return max(TIMED_LINES, min(most, int(affordable)))


def check_time_to_prepare(budget: float, spent: float, corpus: ParallelCorpus) -> None:
    """Refuse a budget that preparing this text would use up, by a low estimate."""
    n_bytes = corpus.stored_bytes()
    preparing = min(n_bytes, LEARNT_BYTES) / LEARNING_RATE_OF_TEXT + n_bytes / READING_RATE
    before = spent + preparing + TIMING
    _check(budget, before, 0.05, f"starting and preparing {corpus.describe()} take about")


def check_time_to_train(budget: float, spent: float, step: float) -> None:
    """Refuse a budget in which nothing can be learnt, before it is wasted."""
    _check(budget, spent, step, f"one step takes {step:.2g} s, and what comes before took")


def _check(budget: float, spent: float, step: float, why: str) -> None:
    needed = (spent + FEWEST_STEPS * step + 1) / (1 - 2 * OVERHEAD)
    if budget < needed:
        raise TrainingError(
            f"a budget of {budget:.0f} s is too short to train anything: {why} {spent:.1f} s. Give "
            f"at least {math.ceil(needed)}s"
        )


def _sizes(facts: Facts) -> dict[str, Any]:
    return {
        "source_vocabulary": facts.source_vocabulary,
        "target_vocabulary": facts.target_vocabulary,
        "max_length": facts.max_length,
    }

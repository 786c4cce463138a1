"""Fills in what the user left open, from the data, the machine and the budget.

The outcome is written to the run and read back on resume: nothing is chosen twice.
"""

from __future__ import annotations

import math
from typing import Any

from heedful.batches.prepare import Facts
from heedful.errors import RecipeError
from heedful.models.config import PRESETS, TransformerConfig
from heedful.recipe import Recipe, Sections, merged, parse

ENOUGH_TOKENS = {"tiny": 0, "small": 2_000_000, "base": 20_000_000, "big": 200_000_000}
"""Target tokens of training data from which a size has enough to learn from."""
SIZES = set().union(*PRESETS.values()) - {"dropout"}


def names_a_size(sections: Sections) -> bool:
    """Whether the settings say anything about how large the model is."""
    return bool(SIZES & sections.get("model", {}).keys())


def preset_for_data(facts: Facts, *, on_gpu: bool) -> str:
    """The largest size that the data can fill; without a GPU base and big would take weeks."""
    usable = [name for name in PRESETS if on_gpu or name in ("tiny", "small")]
    return [name for name in usable if facts.target_tokens >= ENOUGH_TOKENS[name]][-1]


def resolve(
    sections: Sections, facts: Facts, *, preset: str | None, step_seconds: float | None
) -> Recipe:
    """Every setting that training needs. `step_seconds`, measured, is given with a budget only."""
    sizes: Sections = {"model": PRESETS[preset]} if preset else {}
    recipe = parse(merged(sizes, sections))
    model, training = recipe.model, recipe.training
    tie = model.tie or ("three" if facts.joint else "two")
    if tie == "three" and not facts.joint:
        raise RecipeError(
            'model.tie = "three" wants one vocabulary for both sides: set text.joint = true, '
            'or model.tie = "two"'
        )
    expected = _expected_steps(recipe, step_seconds)
    warmup = training.warmup or _warmup(model, expected)
    every = training.validate_every or _validate_every(recipe, facts, expected)
    budgeted = training.budget is not None
    return recipe.with_settings(
        {
            "text": {"max_length": facts.max_length, "joint": facts.joint},
            "model": {"tie": tie},
            "training": {
                "schedule": training.schedule or ("linear" if budgeted else "inverse_sqrt"),
                "warmup": warmup,
                "peak_rate": training.peak_rate or _peak_rate(model, warmup),
                "validate_every": every,
                # With a budget the rate ends at nothing: only the last stretch is worth averaging.
                "checkpoint_every": training.checkpoint_every
                or (max(1, every // 5) if budgeted else every),
            },
        }
    )


def _expected_steps(recipe: Recipe, step_seconds: float | None) -> int | None:
    if recipe.training.budget is not None and step_seconds is not None:
        return max(1, int(recipe.training.budget / step_seconds))
    return recipe.training.steps


def _warmup(model: TransformerConfig, expected: int | None) -> int:
    """4 · d_model, but no more than a tenth of a run whose length is known."""
    usual = 4 * model.d_model
    return usual if expected is None else max(1, min(usual, expected // 10))


def _peak_rate(model: TransformerConfig, warmup: int) -> float:
    """The paper's, 1 / √(d_model · warmup), but no higher than what 4 · d_model steps would give:
    a shorter warm-up does not make a higher rate any safer."""
    return 1 / math.sqrt(model.d_model * max(warmup, 4 * model.d_model))


def _validate_every(recipe: Recipe, facts: Facts, expected: int | None) -> int:
    """Once an epoch, within 100 to 2,000 steps; at least five times in a run of known length."""
    per_step = recipe.training.batch_tokens * recipe.training.accumulate
    epoch = math.ceil((facts.target_tokens + facts.pairs) / per_step)
    every = min(2000, max(100, epoch))
    if recipe.training.budget is not None and expected is not None:
        return max(1, expected // 6)
    return every if expected is None else max(1, min(every, expected // 5))


def not_changeable(stored: Recipe, sections: Sections) -> list[str]:
    """Settings that a resumed run would have to change but cannot: its text and its model."""
    have: dict[str, Any] = stored.sections()
    return [
        f"{section}.{key} = {value!r} (the run has {have[section].get(key)!r})"
        for section in ("text", "model")
        for key, value in sections.get(section, {}).items()
        if have[section].get(key) != value
    ]

"""Fills in what the user left open, from the data, the machine and the budget.

The outcome is written to the run and read back on resume: nothing is chosen twice.
"""

from __future__ import annotations

import math
from typing import Any

from heedful.batches.prepared import Facts
from heedful.errors import RecipeError
from heedful.models.config import KINDS, PRESETS, SIZES, ModelSettings, kind_of
from heedful.recipe import Recipe, ResolvedRecipe, Sections, merged, parse, parse_resolved
from heedful.training.begun import GENTLER
from heedful.training.config import Optimiser, TrainingConfig

ENOUGH_TOKENS = {"tiny": 0, "small": 2_000_000, "base": 20_000_000, "big": 200_000_000}
"""Target tokens of training data from which a size has enough to learn from."""
BATCH_TOKENS, FEWEST_BATCH_TOKENS = 4096, 1024
ENOUGH_STEPS = 4000  # a short run gains more from many steps than from large batches
STEPS_AN_EPOCH = 100  # and small data too
WARMUP_EPOCHS = 20  # at most: small data is learnt by heart before a long warm-up is over
DROPOUT_A_PASS, MOST_DROPOUT = 0.01, 0.3  # what is read often is learnt by heart, else
PATIENCE, AVERAGE = 10, 5  # validations, checkpoints

TIES = ("none", "two", "three")  # from the most tables to the fewest
FIXED = (
    "start",
    "seed",
    "batch_tokens",
    "optimiser",
    "freeze_embeddings",
)  # for a run's whole life


def names_the_size(sections: Sections) -> bool:
    """Whether the settings leave nothing open about how large the model is."""
    model = sections.get("model", {})
    return model.keys() >= PRESETS[kind_of(model)]["tiny"].keys()


def preset_for_data(facts: Facts, kind: str, *, on_gpu: bool) -> str:
    """The largest size that the data can fill; without a GPU base and big would take weeks."""
    usable = [name for name in PRESETS[kind] if on_gpu or name in ("tiny", "small")]
    return [name for name in usable if facts.target_tokens >= ENOUGH_TOKENS[name]][-1]


def sizes_for_data(facts: Facts, kind: str) -> list[dict[str, Any]]:
    """The sizes that a budget may choose among, from the fewest weights to the most."""
    largest = PRESETS[kind][preset_for_data(facts, kind, on_gpu=True)]
    return SIZES[kind][: SIZES[kind].index(largest) + 1]


def resolve(
    sections: Sections,
    facts: Facts,
    *,
    size: dict[str, Any],
    threads: int,
    bf16: bool,
    tokens: float | None = None,
) -> ResolvedRecipe:
    """Choose every setting that was left open. `size` is what the user's own settings of the model
    go on top of; `tokens` is how many target tokens can be seen in the time of a budget."""
    kind = kind_of(sections.get("model"))
    budgeted = sections.get("training", {}).get("budget") is not None
    # Post-norm layers, the paper's, need more steps than a budget has to get going.
    usual = size | KINDS[kind].in_a_budget if budgeted else size
    recipe = parse(merged({"model": usual}, sections))
    training = recipe.training
    expected, tokens_an_epoch = training.steps, facts.target_tokens + facts.pairs
    dropout = recipe.model.dropout
    if tokens is not None:
        is_prose = recipe.text.target_tokens == "subwords"  # spelling to sound is no such matter
        if is_prose and "dropout" not in usual | sections.get("model", {}):
            dropout = _dropout(tokens / tokens_an_epoch)
        batch_tokens = _batch_tokens(training, tokens / ENOUGH_STEPS)
        expected = max(1, int(tokens / (batch_tokens * training.accumulate)))
    else:
        batch_tokens = _batch_tokens(training, tokens_an_epoch / STEPS_AN_EPOCH)
    epoch = math.ceil(tokens_an_epoch / (batch_tokens * training.accumulate))
    warmup = training.warmup or _warmup(recipe.model, epoch, expected)
    if training.schedule == "linear" and expected is None:
        raise RecipeError('training.schedule = "linear" wants an end: give --steps or --budget')
    chosen: dict[str, Any] = {
        "batch_tokens": batch_tokens,
        "optimiser": optimiser_for(recipe),
        "schedule": training.schedule or ("inverse_sqrt" if training.budget is None else "linear"),
        "warmup": warmup,
        "peak_rate": training.peak_rate or _peak_rate(recipe, warmup),
        "clip_norm": training.clip_norm or recipe.model.usual_clip,
        "threads": threads,
        "bf16": bf16,
    }
    by_clock = {"average": training.average or 1}
    chosen |= by_clock if budgeted else by_steps(training, epoch)
    of_data: Sections = {
        "text": {"max_length": facts.max_length, "joint": facts.joint},
        "model": {
            "tie": _tie(
                recipe.model,
                facts,
                frozen=training.freeze_embeddings,
                begun=training.start is not None,
            ),
            "dropout": dropout,
        },
    }
    return parse_resolved(merged(recipe.sections(), of_data, {"training": chosen}))


def optimiser_for(recipe: Recipe) -> Optimiser:
    """The paper's Adam, but Muon where time is short and the model gains from it."""
    training = recipe.training
    in_haste = training.budget is not None and recipe.model.gain_from_muon is not None
    return training.optimiser or ("muon" if in_haste else "adam")


def _tie(model: ModelSettings, facts: Facts, *, frozen: bool, begun: bool) -> str:
    """As much as can be one table: words that begin with vectors of their own stay by themselves,
    and the output learns, however they are frozen."""
    if begun and model.tie:
        return model.tie  # as the weights are
    most = "three" if facts.joint else "two"
    if model.source_vectors or model.target_vectors:
        most = "two"
    if model.target_vectors and (frozen or model.target_vectors != model.d_model):
        most = "none"
    if model.tie == "three" and not facts.joint:
        raise RecipeError(
            'model.tie = "three" wants one vocabulary for both sides: set text.joint = true, '
            'or model.tie = "two"'
        )
    if model.tie and TIES.index(model.tie) > TIES.index(most):
        raise RecipeError(
            f'model.tie = "{model.tie}" does not go with the word vectors that were given: leave '
            f'it out, or take model.tie = "{most}"'
        )
    return model.tie or most


def _dropout(passes: float) -> float:
    """What so many passes over the data want."""
    return round(min(MOST_DROPOUT, DROPOUT_A_PASS * passes), 2)


def _batch_tokens(training: TrainingConfig, tokens_a_step: float) -> int:
    """What the user says; else as large as usual, but smaller where few steps would come of it."""
    wanted = tokens_a_step / training.accumulate // 256 * 256
    return training.batch_tokens or int(min(BATCH_TOKENS, max(FEWEST_BATCH_TOKENS, wanted)))


def _warmup(model: ModelSettings, epoch: int, expected: int | None) -> int:
    """No more than a tenth of a run whose length is known, or than some epochs."""
    longest = WARMUP_EPOCHS * epoch if expected is None else expected // 10
    return max(1, min(model.usual_warmup, longest))


def _peak_rate(recipe: Recipe, warmup: int) -> float:
    """The model's; but no higher than after the usual warm-up if nobody asked for a shorter one:
    that does not make a higher rate any safer."""
    model = recipe.model
    usual = recipe.training.warmup or max(warmup, model.usual_warmup)
    gain = model.gain_from_muon if optimiser_for(recipe) == "muon" else None
    gentle = GENTLER if recipe.training.start else 1
    return model.rate_after(usual) * (gain or 1) * gentle


def by_steps(training: TrainingConfig, epoch: int) -> dict[str, int]:
    """Choose when a run without a budget validates, saves and stops: it validates once an epoch,
    within 100 to 2,000 steps, and at least five times in a run of known length."""
    every = min(2000, max(100, epoch))
    if training.steps is not None:
        every = max(1, min(every, training.steps // 5))
    every = training.validate_every or every
    return {
        "validate_every": every,
        "checkpoint_every": training.checkpoint_every or every,
        "patience": training.patience or PATIENCE,
        "average": training.average or AVERAGE,
    }


def with_measure_of(given: dict[str, Any], stored: dict[str, Any]) -> dict[str, Any]:
    """Return the stored settings of training, made ready for a run that is prolonged by another
    measure (steps, or a budget) than it was begun with."""
    if "budget" in given and "budget" not in stored:
        of_steps = {"steps", "validate_every", "checkpoint_every", "patience"}
        return {k: v for k, v in stored.items() if k not in of_steps} | {"average": 1}
    if "steps" in given and "budget" in stored:
        of_clock = {k: v for k, v in stored.items() if k != "budget"}
        return of_clock | by_steps(TrainingConfig(steps=given["steps"]), STEPS_AN_EPOCH)
    return stored


def not_changeable(stored: Recipe, sections: Sections) -> list[str]:
    """Settings that a resumed run would have to change but cannot: those of its text, its model,
    its optimiser and the order of its data."""
    have: dict[str, Any] = stored.sections()
    training = sections.get("training", {})
    fixed: Sections = {name: sections.get(name, {}) for name in ("text", "model")}
    fixed["training"] = {k: v for k, v in training.items() if k in FIXED}
    return [
        f"{section}.{key} = {value!r} (the run has {have[section].get(key)!r})"
        for section, settings in fixed.items()
        for key, value in settings.items()
        if have[section].get(key) != value
    ]

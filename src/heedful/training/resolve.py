"""Fills in what the user left open, from the data, the machine and the budget.

The outcome is written to the run and read back on resume: nothing is chosen twice.
"""

from __future__ import annotations

import math
from typing import Any

from heedful.batches.prepared import Facts
from heedful.errors import RecipeError
from heedful.models.config import KINDS, PRESETS, ModelSettings, kind_of
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

LINES_A_SECOND, FEWEST_LINES = 500 / 300, 20  # translated by a validation, of a short budget

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


def resolve(
    sections: Sections,
    facts: Facts,
    *,
    preset: str | None,
    threads: int,
    bf16: bool,
    tokens_per_second: float | None = None,
) -> ResolvedRecipe:
    """Every setting that training needs. The speed is measured, and given, with a budget only."""
    kind = kind_of(sections.get("model"))
    usual = _usual(kind, preset, budgeted=bool(tokens_per_second))
    recipe = parse(merged({"model": usual}, sections))
    training = recipe.training
    expected, tokens_an_epoch = training.steps, facts.target_tokens + facts.pairs
    dropout = recipe.model.dropout
    if training.budget is not None and tokens_per_second is not None:
        tokens = training.budget * tokens_per_second
        is_prose = recipe.text.target_tokens == "subwords"  # spelling to sound is no such matter
        if is_prose and "dropout" not in usual | sections.get("model", {}):
            dropout = _dropout(tokens / tokens_an_epoch)
        batch_tokens = _batch_tokens(training, tokens / ENOUGH_STEPS)
        expected = max(1, int(tokens / (batch_tokens * training.accumulate)))
    else:
        batch_tokens = _batch_tokens(training, tokens_an_epoch / STEPS_AN_EPOCH)
    epoch = math.ceil(tokens_an_epoch / (batch_tokens * training.accumulate))
    warmup = training.warmup or _warmup(recipe.model, epoch, expected)
    every = training.validate_every or _validate_every(training, epoch, expected)
    rhythm = max(1, every // 5) if training.budget is not None else every
    if training.schedule == "linear" and expected is None:
        raise RecipeError('training.schedule = "linear" wants an end: give --steps or --budget')
    chosen: dict[str, Any] = {
        "batch_tokens": batch_tokens,
        "optimiser": optimiser_for(recipe),
        "schedule": training.schedule or ("inverse_sqrt" if training.budget is None else "linear"),
        "warmup": warmup,
        "peak_rate": training.peak_rate or _peak_rate(recipe, warmup),
        "clip_norm": training.clip_norm or recipe.model.usual_clip,
        "validate_every": every,
        # With a budget the rate ends at nothing: only the last stretch is worth averaging.
        "checkpoint_every": training.checkpoint_every or rhythm,
        "threads": threads,
        "bf16": bf16,
    }
    if training.budget is not None and "validation_lines" not in sections.get("training", {}):
        chosen["validation_lines"] = _validation_lines(training, training.budget)
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


def _usual(kind: str, preset: str | None, *, budgeted: bool) -> dict[str, Any]:
    """What the user's settings go on top of. A budget is short, and in few steps the paper's
    post-norm layers hardly get going: pre-norm ones learn from the first step on."""
    sizes = PRESETS[kind][preset] if preset else {}
    return sizes | KINDS[kind].in_a_budget if budgeted else dict(sizes)


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


def _validate_every(training: TrainingConfig, epoch: int, expected: int | None) -> int:
    """Once an epoch, within 100 to 2,000 steps; at least five times in a run of known length."""
    every = min(2000, max(100, epoch))
    if expected is None:
        return every
    return max(1, expected // 6 if training.budget is not None else min(every, expected // 5))


def _validation_lines(training: TrainingConfig, budget: float) -> int:
    """No more than a short budget can spare: a model that has learnt little writes endless lines,
    and what validating takes is taken from training."""
    return min(training.validation_lines, max(FEWEST_LINES, int(budget * LINES_A_SECOND)))


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

"""A whole training run: from options to prepared data, a resolved recipe, and a session."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import torch
from rich.console import Console

from heedful import recipe as recipes
from heedful.batches.prepare import text_fingerprint
from heedful.batches.prepared import FACTS, Prepared, open_prepared
from heedful.errors import InputError, ModelFolderError, RecipeError, TrainingError
from heedful.files import write_atomically
from heedful.machine import pick_device, use_threads
from heedful.model_folder.card import CONFIG, read_card
from heedful.models.config import PRESETS, kind_of
from heedful.recipe import Recipe, ResolvedRecipe, Sections
from heedful.training import budget
from heedful.training.checkpoint import last_progress
from heedful.training.config import TrainingConfig
from heedful.training.options import TrainOptions
from heedful.training.pace import Clock
from heedful.training.preparing import prepare_text
from heedful.training.reporter import Reporter, check_tensorboard, read_metrics
from heedful.training.resolve import (
    names_the_size,
    not_changeable,
    optimiser_for,
    preset_for_data,
    resolve,
    sizes_for_data,
    with_measure_of,
)
from heedful.training.run_folder import RunFolder
from heedful.training.session import Outcome, Session
from heedful.training.vectors import read_given


def train_run(
    options: TrainOptions, *, console: Console | None = None, clock: Clock | None = None
) -> Outcome:
    """Trains by these options. An interruption raises Interrupted after all is saved."""
    clock = clock or Clock()
    folder = RunFolder(Path(options.out))
    sections = options.sections()
    corpus, valid = options.corpus(), options.valid_corpus()
    for text in (corpus, valid):
        if text is not None:
            text.check_readable()
    if options.resume and corpus is None and not folder.holds_a_run():
        raise ModelFolderError(f"there is no run in {folder.path} to go on with")
    given = recipes.parse(sections)
    asked = given.training
    _check_vectors(options, given, goes_on=options.resume and folder.holds_a_run())
    pick_device(asked.device)
    if asked.tensorboard:
        check_tensorboard()
    folder.open(resume=options.resume)
    console = Console(quiet=True) if options.quiet else console or Console(highlight=False)
    with folder.locked(), Reporter(console, folder.metrics) as reporter:
        if folder.holds_a_run():
            recipe = _stored_recipe(folder, sections)
            data = _reopened(options, folder, recipe, reporter)
            clock.add(_seconds_spent(folder))
            threads, device = _use_machine(recipe.training)
        else:
            if (
                asked.budget is not None
                and corpus is not None
                and not _is_prepared(options, folder)
            ):
                budget.check_time_to_prepare(asked.budget, clock.seconds(), corpus)
            data = _prepare(options, folder, sections, reporter)
            threads, device = _use_machine(asked)
            vectors = read_given(options, data, reporter)
            vectors.write(folder.path)
            sections = recipes.merged(sections, {"model": vectors.settings})
            recipe = _resolved(sections, data, threads, device, clock)
        write_atomically(folder.recipe, recipe.to_toml())
        if recipe.training.tensorboard:
            reporter.write_tensorboard(folder.path / "tensorboard")
        with _within_memory():
            return Session(folder, recipe, data, reporter, clock, device).train()


def _check_vectors(options: TrainOptions, asked: Recipe, *, goes_on: bool) -> None:
    sides = {
        "source": (options.source_embeddings, asked.text.source_tokens),
        "target": (options.target_embeddings, asked.text.target_tokens),
    }
    given = {side: tokens for side, (path, tokens) in sides.items() if path}
    if given and goes_on:
        raise InputError(
            f"the run in {options.out} has the vectors that it was begun with: leave "
            f"--source-embeddings and --target-embeddings out"
        )
    if asked.training.freeze_embeddings and not given and not goes_on:
        raise InputError(
            "--freeze-embeddings is for vectors of others: give --source-embeddings or "
            "--target-embeddings too"
        )
    for side, tokens in given.items():
        if tokens != "words":
            raise InputError(
                f"--{side}-embeddings has vectors of whole words, but the {side} is cut into "
                f"{tokens}: give --{side}-tokens words too"
            )


def _stored_recipe(folder: RunFolder, sections: Sections) -> ResolvedRecipe:
    """The run's own settings, with those changed that may change."""
    stored = recipes.parse_resolved(recipes.read(folder.recipe), where=str(folder.recipe))
    refused = not_changeable(stored, sections)
    if refused:
        raise RecipeError(f"a resumed run cannot change {'; '.join(refused)}")
    kept = stored.sections()
    given = sections.get("training", {})
    step = last_progress(folder.checkpoints).step
    if given.get("steps", step) < step:
        raise RecipeError(
            f"the run in {folder.path} is at step {step:,}, past the {given['steps']:,} asked for: "
            f"give more --steps, or none to let it end as it was begun"
        )
    kept["training"] = with_measure_of(given, kept["training"])
    return recipes.parse_resolved(
        recipes.merged(kept, {"training": given, "decoding": sections.get("decoding", {})})
    )


def _seconds_spent(folder: RunFolder) -> float:
    """Up to the last sign of life, be it a checkpoint or a record after it."""
    told = [float(record.get("seconds", 0)) for record in read_metrics(folder.metrics)]
    return max([*told, last_progress(folder.checkpoints).seconds])


def _reopened(
    options: TrainOptions, folder: RunFolder, recipe: ResolvedRecipe, reporter: Reporter
) -> Prepared:
    """The data that the run was begun with; made again from the text if it is gone."""
    kept, fingerprint = folder.remembered_data()
    kept = Path(options.data) if options.data else kept
    gone = not (kept / FACTS).exists()
    data = _prepare(options, folder, recipe.sections(), reporter) if gone else open_prepared(kept)
    if gone:  # the settings are resolved by now, so its fingerprint is another one
        _same_tokenizers(folder, data)
    elif data.facts.fingerprint != fingerprint:
        raise ModelFolderError(
            f"{kept} was prepared from other text or settings than the run in {folder.path}: "
            f"give the run's own data with --data"
        )
    _same_text(options, folder, data)
    return data


def _same_text(options: TrainOptions, folder: RunFolder, data: Prepared) -> None:
    """Text that is given on resume must be that of the run: it is not read again."""
    corpus, valid = options.corpus(), options.valid_corpus()
    if corpus is None or not all(t.can_be_read_again() for t in (corpus, valid) if t):
        return
    if text_fingerprint(corpus, valid) != data.facts.text:
        raise InputError(
            f"the run in {folder.path} was begun with other text than {corpus.describe()} (or the "
            f"files have changed or moved): leave the text out to go on with what it has"
        )


def _same_tokenizers(folder: RunFolder, data: Prepared) -> None:
    """What was made again from the text must be what the weights were trained with."""
    if not (folder.path / CONFIG).exists():
        return
    digests = {"source": data.source_tokenizer.digest, "target": data.target_tokenizer.digest}
    if read_card(folder.path).tokenizers != digests:
        raise ModelFolderError(
            f"this text gives another vocabulary than the run in {folder.path} has: "
            f"give the text that it was begun with"
        )


def _prepare(
    options: TrainOptions, folder: RunFolder, sections: Sections, reporter: Reporter
) -> Prepared:
    place = Path(options.data) if options.data else folder.data
    data = prepare_text(options, sections, place, reporter)
    folder.remember_data(place, data.facts.fingerprint)
    return data


def _is_prepared(options: TrainOptions, folder: RunFolder) -> bool:
    return ((options.data or folder.data) / FACTS).exists()


def _use_machine(config: TrainingConfig) -> tuple[int, torch.device]:
    return use_threads(config.threads), pick_device(config.device)


def _resolved(
    sections: Sections, data: Prepared, threads: int, device: torch.device, clock: Clock
) -> ResolvedRecipe:
    """The recipe with everything chosen; with a budget, by measuring."""
    given = recipes.parse(sections)
    bf16 = given.training.bf16
    if bf16 is None:
        bf16 = device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)
    choose = partial(resolve, sections, data.facts, threads=threads, bf16=bf16)
    kind, open_size = kind_of(sections.get("model")), not names_the_size(sections)
    if given.training.budget is not None:
        sizes = sizes_for_data(data.facts, kind) if open_size else [{}]
        probe = budget.SpeedProbe(data, device, optimiser_for(given), bf16, clock)
        return budget.fit_to_budget(choose, sizes, probe, given.training)
    preset = preset_for_data(data.facts, kind, on_gpu=device.type != "cpu")
    return choose(size=PRESETS[kind][preset] if open_size else {})


@contextmanager
def _within_memory() -> Iterator[None]:
    """Says what to do where a model or a batch is too large for this machine."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "memory" not in str(error):
            raise
        raise TrainingError(
            f"not enough memory ({str(error).splitlines()[0][:100]}): try a smaller "
            f"training.batch_tokens, text.max_length or --preset"
        ) from error

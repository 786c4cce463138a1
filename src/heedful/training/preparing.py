"""The text that was asked for, made ready to train on."""

from __future__ import annotations

from pathlib import Path

from heedful import recipe as recipes
from heedful.batches.prepare import prepare
from heedful.batches.prepared import Facts, Prepared
from heedful.errors import InputError
from heedful.recipe import Sections
from heedful.text.sides import load_sides
from heedful.training.languages import language_warnings
from heedful.training.options import TrainOptions
from heedful.training.reporter import Reporter


def prepare_text(
    options: TrainOptions, sections: Sections, place: Path, reporter: Reporter
) -> Prepared:
    """In this place, unless it is there already; tells what there is."""
    corpus, valid = options.corpus(), options.valid_corpus()
    if corpus is None:
        raise InputError(
            f"nothing to train on: give --source and --target, or --pairs "
            f"({place} holds no prepared data either)"
        )
    given = recipes.parse(sections)
    sides = load_sides(Path(given.training.start)) if given.training.start else None
    data = prepare(
        place,
        corpus,
        valid,
        given.text,
        seed=given.training.seed,
        watch=reporter.stage,
        may_replace=options.data is None,
        sides=sides,
    )
    _tell_facts(data.facts, reporter)
    for warning in language_warnings(given):
        reporter.say(f"warning: {warning}")
    return data


def _tell_facts(facts: Facts, reporter: Reporter) -> None:
    aside = "given for validation" if facts.valid_given else "set aside for validation"
    size = f"{facts.source_vocabulary:,}" + (
        "" if facts.joint else f" + {facts.target_vocabulary:,}"
    )
    reporter.say(
        f"{facts.pairs:,} pairs to train on ({facts.target_tokens:,} target tokens), "
        f"{facts.valid:,} {aside}; vocabulary {size}"
    )
    for header in facts.headers:
        reporter.say(
            f"left out: {header}, which looks like a header; if it is a pair, put another line "
            f"before it"
        )
    if facts.blank:
        reporter.say(f"left out: {facts.blank:,} pairs with a blank side")
    if facts.too_long:
        reporter.say(
            f"left out: {facts.too_long:,} pairs longer than text.max_length = {facts.max_length}"
        )
    if facts.same_source:
        reporter.say(
            f"left out: {facts.same_source:,} pairs whose source line is that of a pair set aside "
            f"for validation"
        )
    if facts.overlap:
        reporter.say(
            f"warning: {facts.overlap:,} of {facts.valid:,} validation sources also stand in the "
            f"training data; scores on them say little"
        )

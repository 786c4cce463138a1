"""From what the user asked for to a contest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from heedful.comparison.contest import Contest
from heedful.demo.corpus import Language, generate
from heedful.demo.text import text_options
from heedful.errors import HeedfulError, InputError
from heedful.models.config import KINDS, NOT_KINDS
from heedful.settings import unknown
from heedful.text.corpus import ParallelCorpus
from heedful.training.options import TrainOptions

BUDGET = "5m"
OF_THE_DEMO = ("text.algorithm=bpe", "text.vocabulary_size=800", "model.dropout=0.0")
"""Made sentences hardly repeat themselves, and have few words."""


def contest_of(
    options: TrainOptions,
    models: Sequence[str],
    test_source: str | None,
    test_target: str | None,
    demo: Language | None,
) -> Contest:
    """Checks all of it before any work is done."""
    names = check_names(models, KINDS, NOT_KINDS)
    if options.model is not None:
        raise InputError("a comparison is of several models: name them with --models")
    if options.resume:
        raise InputError("leave --resume out: a comparison goes on by itself where it was stopped")
    if (test_source is None) != (test_target is None):
        raise InputError("--test-source and --test-target go together")
    if demo and (options.corpus() is not None or test_source is not None):
        raise InputError("--demo has text of its own: give either it or files")
    options = _completed(options, names)
    if demo:
        return _of_the_demo(names, options, demo)
    _check_text(options)
    test = None
    if test_source is not None:
        pairs = list(ParallelCorpus(source=test_source, target=test_target))
        test = [s for s, _ in pairs], [t.strip() for _, t in pairs]
    return Contest(names, options, test)


def check_names(
    names: Iterable[str], known: Collection[str], meant: Mapping[str, str]
) -> tuple[str, ...]:
    """Known ones, each once; `meant` tells what some others may be meant for."""
    found = tuple(name.strip() for name in names)
    for name in found:
        if name not in known:
            raise InputError(unknown("model", name, known, meant))
    if len(set(found)) != len(found):
        raise InputError(f"models {', '.join(found)}: each is compared once")
    return found


def _completed(options: TrainOptions, names: Sequence[str]) -> TrainOptions:
    """With a budget and a size, the same for all, unless they were given; settings that do not fit
    one of the members are told before any is trained."""
    training: dict[str, Any] = {}
    for name in names:
        try:
            training = replace(options, model=name).sections().get("training", {})
        except HeedfulError as error:
            raise InputError(f"settings of a comparison hold for all: {name}: {error}") from None
    if not training.keys() & {"steps", "budget"}:
        options = replace(options, budget=BUDGET)
    return replace(options, preset=options.preset or "tiny")


def _check_text(options: TrainOptions) -> None:
    corpus, valid = options.corpus(), options.valid_corpus()
    if corpus is None:
        raise InputError("nothing to train on: give --source and --target, or --pairs, or --demo")
    for text in (corpus, valid):
        if text is not None and not text.can_be_read_again():
            raise InputError(
                f"{text.describe()} can be read only once, but every member reads it: write it to "
                f"a file first"
            )


def _of_the_demo(names: tuple[str, ...], options: TrainOptions, language: Language) -> Contest:
    corpus = generate(language, seed=1 if options.seed is None else options.seed)
    text = text_options(language, options.out / "text")
    options = replace(options, set=(*OF_THE_DEMO, *options.set), **text)
    test = [e.source for e in corpus.test], [e.target for e in corpus.test]
    return Contest(names, options, test, corpus)

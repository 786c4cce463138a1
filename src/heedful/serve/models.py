"""The models that are served, by their languages. A new version takes the old one's place between
two requests; those that were begun end with what they were begun with."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NoReturn

from heedful.engines.ctranslate2_engine import CTranslate2Engine
from heedful.engines.engine import Task
from heedful.errors import HeedfulError, InputError
from heedful.exports.expressible import ctranslate2_refusal
from heedful.model_folder.card import Card, load_checked_tokenizers, read_card
from heedful.serve.batching import Answers, Batcher, Search
from heedful.serve.options import ServeOptions
from heedful.serve.refused import Refused
from heedful.serve.worker.client import Worker
from heedful.translator import Translator, load

log = logging.getLogger("heedful.serve")
ONE_BATCH = 1_000_000_000  # tokens: what was put together stays together


class InWorker:
    """The engine of a translator whose searches another process does."""

    name = "worker"

    def refusal(self, task: Task) -> None:
        """It can do everything."""

    def search(self, task: Task) -> NoReturn:
        """It is asked elsewhere."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Served:
    """One version of a model."""

    run: Path
    source: str
    target: str
    translator: Translator
    fast: tuple[Batcher, Search] | None
    slow: tuple[Batcher, Search]

    async def search(self, task: Task) -> Answers:
        """By the fast engine where there is one that can."""
        is_slow = self.fast is None or self.translator.engine.refusal(task)
        batcher, search = self.slow if is_slow or self.fast is None else self.fast
        return await batcher.search(search, task)

    @property
    def version(self) -> str | None:
        """The digest of its weights."""
        return self.translator.card.weights_digest


@dataclass(frozen=True)
class Backends:
    """Where searches are done."""

    pool: Executor
    fast: Batcher
    slow: Batcher
    worker: Worker


class Models:
    """By pairs of languages."""

    def __init__(self, runs: Sequence[Path], options: ServeOptions, backends: Backends) -> None:
        self._options = options
        self._backends = backends
        self._by_pair: dict[tuple[str, str], Served] = {}
        for run, (source, target) in languages_of(runs, options.name).items():
            other = self._by_pair.get((source.lower(), target.lower()))
            if other is not None:
                raise InputError(
                    f"{run} and {other.run} both translate {source} to {target}: serve one of them"
                )
            served = self._load(run, source, target)
            self._by_pair[source.lower(), target.lower()] = served

    def __iter__(self) -> Iterator[Served]:
        return iter(list(self._by_pair.values()))

    def targets(self) -> dict[str, list[str]]:
        """Source codes, and what each can be translated to."""
        found: dict[str, list[str]] = {}
        for served in self:
            found.setdefault(served.source, []).append(served.target)
            found.setdefault(served.target, [])
        return found

    def knows(self, code: str) -> bool:
        """Whether a language is one of ours."""
        return code.lower() in map(str.lower, self.targets())

    def get(self, source: str, target: str) -> Served:
        """The model of a pair; Refused if there is none."""
        served = self._by_pair.get((source.lower(), target.lower()))
        if served is not None:
            return served
        for code in (source, target):
            if not self.knows(code):
                raise Refused(400, f"{code[:20]} is not supported")
        raise Refused(400, f"{target} is not supported as a target language of {source}")

    async def take_up_new(self) -> None:
        """Loads what has changed; what cannot be loaded stays as it was."""
        for pair, served in list(self._by_pair.items()):
            try:
                if read_card(served.run).weights_digest == served.version:
                    continue
                load_now = partial(self._load, served.run, served.source, served.target)
                self._by_pair[pair] = await asyncio.to_thread(load_now)
                log.info("%s: the new version is served", served.run)
            except HeedfulError as error:
                log.warning("%s: the old version is served on: %s", served.run, error)

    def _load(self, run: Path, source: str, target: str) -> Served:
        card = read_card(run)
        backends, options = self._backends, self._options
        in_worker = partial(backends.worker.search, str(run))
        if ctranslate2_refusal(card) is not None:
            translator = _without_engine(run, card)
            served = Served(run, source, target, translator, None, (backends.slow, in_worker))
        else:
            translator = load(
                run, engine="ctranslate2", device=options.device, threads=options.threads,
                quantize=options.quantize,
            )  # fmt: skip
            engine = translator.engine
            assert isinstance(engine, CTranslate2Engine)
            here = (backends.fast, partial(_in_thread, backends.pool, engine))
            served = Served(run, source, target, translator, here, (backends.slow, in_worker))
        if options.beam is not None:
            translator.card = translator.card.model_copy(
                update={"decoding": translator.settings(beam=options.beam)}
            )
        return served


async def _in_thread(pool: Executor, engine: CTranslate2Engine, task: Task) -> Answers:
    config = task.config.model_copy(update={"batch_tokens": ONE_BATCH})
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(pool, engine.search, replace(task, config=config))


def _without_engine(run: Path, card: Card) -> Translator:
    def open_torch() -> NoReturn:
        raise NotImplementedError  # in the worker it is

    tokenizers = load_checked_tokenizers(run, card)
    return Translator(card, *tokenizers, engine=InWorker(), open_torch=open_torch)


def languages_of(runs: Sequence[Path], names: Sequence[str]) -> dict[Path, tuple[str, str]]:
    """Of each run: what it says itself, or the next of the names; as many names as runs name them
    all."""
    cards = {run: read_card(run) for run in runs}
    if len(cards) < len(runs):
        raise InputError("a run is named twice: serve it once")
    silent = [r for r, c in cards.items() if not (c.text.source_lang and c.text.target_lang)]
    named = list(runs) if len(names) == len(runs) else silent
    if len(names) != len(named):
        missing = ", ".join(map(str, silent)) or "none"
        raise InputError(
            f"{len(names)} --name for {len(named)} runs that do not say their languages "
            f"({missing}): give each one, in this order, as --name en-de"
        )
    given = dict(zip(named, map(_pair, names), strict=True))
    return {
        run: given.get(run) or (str(card.text.source_lang), str(card.text.target_lang))
        for run, card in cards.items()
    }


def _pair(name: str) -> tuple[str, str]:
    codes = name.split(":") if ":" in name else name.split("-")
    if len(codes) != 2 or not all(code.replace("-", "").isalnum() for code in codes):
        raise InputError(
            f"--name {name}: two codes of languages are wanted, as en-de (or pt-br:en, where a "
            f"code has a - of its own)"
        )
    return codes[0], codes[1]

"""The models that are served, by their languages. A new version takes the old one's place between
two requests; those that were begun end with what they were begun with."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from heedful.engines.converted import NowhereToWriteError
from heedful.engines.engine import Engine, Task
from heedful.errors import HeedfulError, InputError, ModelFolderError
from heedful.exports.expressible import ctranslate2_refusal
from heedful.model_folder.card import Card, load_checked_tokenizers, read_card
from heedful.planning import Planner
from heedful.serve.batching import Batcher
from heedful.serve.lanes import Answers, Search
from heedful.serve.options import ServeOptions
from heedful.serve.refused import Refused
from heedful.serve.snapshot import Snapshot
from heedful.serve.troubles import Troubles
from heedful.serve.weights import WatchedWeights
from heedful.serve.worker.client import Worker
from heedful.serve.worker.converting import convert
from heedful.translator import load

log = logging.getLogger("heedful.serve")
ONE_BATCH = 1_000_000_000  # tokens: what was put together stays together


@dataclass(frozen=True, eq=False)
class Asked:
    """An engine with the queue before it."""

    queue: Batcher
    search: Search
    refusal: Callable[[Task], str | None]

    def answer(self, task: Task, *, again: bool = False) -> Awaitable[Answers]:
        """When it is this task's turn."""
        return self.queue.search(self.search, task, again=again)


@dataclass(frozen=True, eq=False)
class Served:
    """One version of a model."""

    folder: Path
    """Where it came from, and where the next version will come from."""
    snapshot: Snapshot
    card: Card
    """As the folder had it."""
    weights: WatchedWeights
    source: str
    target: str
    planner: Planner
    engines: Sequence[Asked]
    """The fastest first; the last can do everything."""

    def search(self, task: Task, *, again: bool = False) -> Awaitable[Answers]:
        """By the first engine that can. What is asked `again` was let in before."""
        *some, last = self.engines
        able = (engine for engine in some if engine.refusal(task) is None)
        return next(able, last).answer(task, again=again)

    def check_room(self) -> None:
        """Refused if the usual queue is full: before anything is made ready for it."""
        self.engines[0].queue.check_room()

    def is_version_of(self, card: Card) -> bool:
        """Whether another would translate alike: the card knows its weights and its tokenizers by
        their digests. How it came to be does not count."""
        apart = {"training", "scores"}
        return card.model_dump(exclude=apart) == self.card.model_dump(exclude=apart)


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
        self.troubles = Troubles()
        self._by_pair: dict[tuple[str, str], Served] = {}
        for run, (source, target) in languages_of(runs, options.name).items():
            other = self._by_pair.get((source.lower(), target.lower()))
            if other is not None:
                raise InputError(
                    f"{run} and {other.folder} both translate {source} to {target}: "
                    f"serve one of them"
                )
            served = self._load(run, source, target, None)
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
                if served.is_version_of(read_card(served.folder)):
                    await asyncio.to_thread(served.weights.check)
                    self.troubles.end(served.folder)
                    continue
                load_now = partial(self._load, served.folder, served.source, served.target, served)
                self._by_pair[pair] = await asyncio.to_thread(load_now)
                self.troubles.end(served.folder)
                log.info("%s: the new version is served", served.folder)
            except (HeedfulError, OSError) as error:  # it may be there only in part yet
                why = f"{served.folder}: the old version is served on: {error}"
                self.troubles.tell(served.folder, why)

    def _load(self, run: Path, source: str, target: str, old: Served | None) -> Served:
        load_checked_tokenizers(run, read_card(run))  # tells what is wrong by the run's own name
        snapshot = Snapshot(run)
        card = read_card(snapshot.path)
        planner = Planner(card, *load_checked_tokenizers(snapshot.path, card))
        engines = [self._in_worker(snapshot)]
        why_torch = ctranslate2_refusal(card)
        if why_torch is None and _has_copy(run, old):
            engines.insert(0, self._here(run, card))
        elif why_torch and self._options.quantize:
            log.warning("%s: without --quantize, which torch does not know: %s", run, why_torch)
        if self._options.beam is not None:
            decoding = planner.settings(beam=self._options.beam)
            planner.card = card.model_copy(update={"decoding": decoding})
        weights = WatchedWeights(run, snapshot.path, card)
        return Served(run, snapshot, card, weights, source, target, planner, engines)

    def _here(self, run: Path, card: Card) -> Asked:
        """By CTranslate2, in threads of this process. Its copy lies beside the run."""
        options = self._options
        translator = load(
            run, engine="ctranslate2", device=options.device, threads=options.threads,
            quantize=options.quantize,
        )  # fmt: skip
        if translator.card.weights_digest != card.weights_digest:
            raise ModelFolderError(f"{run} has changed while it was read")
        search = partial(_in_thread, self._backends.pool, translator.engine)
        return Asked(self._backends.fast, search, translator.engine.refusal)

    def _in_worker(self, snapshot: Snapshot) -> Asked:
        """By torch, in a process of its own."""

        async def search(task: Task) -> Answers:
            return await self._backends.worker.search(snapshot, task)

        return Asked(self._backends.slow, search, lambda task: None)


def _has_copy(run: Path, old: Served | None) -> bool:
    """For CTranslate2: made if it is missing. Where it can be written nowhere, torch is left, but
    not in place of an old version that has a copy."""
    try:
        convert(run)
    except NowhereToWriteError as error:
        if old is not None and len(old.engines) > 1:
            raise
        log.warning("%s: served by torch alone, which is slower: %s", run, error)
        return False
    return True


async def _in_thread(pool: Executor, engine: Engine, task: Task) -> Answers:
    config = task.config.model_copy(update={"batch_tokens": ONE_BATCH})
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(pool, engine.search, replace(task, config=config))


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
    own = {r: (str(c.text.source_lang), str(c.text.target_lang)) for r, c in cards.items()}
    for run in named:
        if run not in silent and given[run] != own[run]:
            told = run, *given[run], *own[run]
            log.info("%s: --name has it translate %s to %s, in place of its own %s to %s", *told)
    return own | given


def _pair(name: str) -> tuple[str, str]:
    codes = name.split(":") if ":" in name else name.split("-")
    if len(codes) != 2 or not all(code.replace("-", "").isalnum() for code in codes):
        raise InputError(
            f"--name {name}: two codes of languages are wanted, as en-de (or pt-br:en, where a "
            f"code has a - of its own)"
        )
    return codes[0], codes[1]

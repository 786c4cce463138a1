"""What the worker can do, by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from heedful.decoding.settled import Settled
from heedful.engines.torch_engine import TorchEngine
from heedful.errors import HeedfulError, ModelFolderError
from heedful.machine import use_threads
from heedful.page.answers import attend, head
from heedful.page.describe import describe
from heedful.serve.worker import frames
from heedful.text.special import EOS
from heedful.translator import Translator, load

Tell = Callable[[Any], None]
"""Sends a piece of an answer, or with None nothing; raises Cancelled if nobody waits for it."""


class Cancelled(Exception):  # noqa: N818 - nothing has gone wrong
    """Whoever asked has gone."""


class Models:
    """Those of the folders that were asked for. Each holds one version, and goes when that is not
    served any more."""

    def __init__(self, threads: int | None) -> None:
        self._threads = threads
        self._loaded: dict[str, Translator] = {}
        use_threads(threads)

    def get(self, question: dict[str, Any]) -> Translator:
        """The one that a question is about."""
        run = str(question["run"])
        if run not in self._loaded:
            kept = {path: model for path, model in self._loaded.items() if Path(path).exists()}
            try:
                self._loaded = kept | {run: load(run, engine="torch", threads=self._threads)}
            except HeedfulError as error:  # no fault of whoever asks, and no path for them
                raise ModelFolderError(str(error)) from error
        return self._loaded[run]


def _engine(translator: Translator) -> TorchEngine:
    assert isinstance(translator.engine, TorchEngine)  # it was loaded so
    return translator.engine


def _search(models: Models, question: dict[str, Any], tell: Tell) -> Any:
    task = frames.task_from_data(question["task"])
    found = _engine(models.get(question)).search(task, on_step=lambda: tell(None))
    return frames.answers_to_data(found)


def _stream(models: Models, question: dict[str, Any], tell: Tell) -> Any:
    """One sentence; its ids are told as soon as they can no longer change."""
    task = frames.task_from_data(question["task"])
    watch = Settled(EOS, lambda ids: tell(ids or None))
    best = _engine(models.get(question)).search_watched(task, watch)
    return frames.answers_to_data([best])


def _attend(models: Models, question: dict[str, Any], tell: Tell) -> Any:
    return frames.to_json(attend(models.get(question), question))


def _head(models: Models, question: dict[str, Any], tell: Tell) -> Any:
    return frames.to_json(head(models.get(question), question))


def _describe(models: Models, question: dict[str, Any], tell: Tell) -> Any:
    return frames.to_json(describe(question["name"], models.get(question)))


JOBS: dict[str, Callable[[Models, dict[str, Any], Tell], Any]] = {
    "search": _search,
    "stream": _stream,
    "attend": _attend,
    "head": _head,
    "describe": _describe,
}

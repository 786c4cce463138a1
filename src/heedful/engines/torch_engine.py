"""Searching with torch: every model, every way to search, every device."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from functools import cached_property

import torch

from heedful.batches.batch import pad_sources
from heedful.decoding.beam import Watch
from heedful.decoding.hypothesis import Hypothesis, Marks
from heedful.decoding.phrases import Phrases
from heedful.decoding.question import Question
from heedful.decoding.search import search
from heedful.engines.aligning import with_weights
from heedful.engines.engine import Task
from heedful.engines.sharing import evenly
from heedful.machine import worker_threads
from heedful.models.seq2seq import AnySeq2Seq
from heedful.text.special import BOS, EOS, PAD, UNK

Answers = list[list[Hypothesis]]
OnStep = Callable[[], None]
BATCH_TOKENS = 4096
FEW_WEIGHTS = 20_000_000
MARKS = Marks(start=BOS, end=EOS, never=(PAD, UNK, BOS))


class TorchEngine:
    """heedful's own search over heedful's own models."""

    name = "torch"

    def __init__(
        self,
        model: AnySeq2Seq,
        continuations: frozenset[int] = frozenset(),
        alignment_layer: int | None = None,
    ) -> None:
        """`continuations` are the tokens that go on with a word; the layer is that of the card."""
        self.model = model
        self._continuations = continuations
        self._alignment_layer = alignment_layer

    def refusal(self, task: Task) -> None:
        """It can do everything."""

    def search(self, task: Task, on_step: OnStep = lambda: None) -> list[list[Hypothesis]]:
        """In batches of sentences of like length; the answers come in the sources' order.
        `on_step` is called again and again meanwhile, and may raise something to end it."""
        workers = torch.get_num_threads() if self._device.type == "cpu" else 1
        width = task.nbest if task.config.sample else task.config.beam
        at_once = max(1, (task.config.batch_tokens or BATCH_TOKENS) // width)
        planned: list[list[int]] = []
        for rows in _by_phrases(task):
            lengths = [len(task.sources[row]) for row in rows]
            some = batches(lengths, evenly(lengths, at_once, workers))
            planned += [[rows[n] for n in batch] for batch in some]
        found: dict[int, list[Hypothesis]] = {}
        for rows, answers in zip(
            planned, self._answers(task, planned, workers, on_step), strict=True
        ):
            found.update(zip(rows, answers, strict=True))
        return [found[i] for i in range(len(task.sources))]

    def _answers(
        self, task: Task, planned: list[list[int]], workers: int, on_step: OnStep
    ) -> list[Answers]:
        """Of each batch: one after the other with all threads, or as many at once as there are
        threads with one each, which then never wait for each other inside a step."""
        if workers == 1 or (len(planned) == 1 and not self._is_small):
            return [self._answer(task, rows, on_step=on_step) for rows in planned]
        with worker_threads(min(workers, len(planned)), threads_each=1) as pool:
            return list(pool.map(lambda rows: self._answer(task, rows, on_step=on_step), planned))

    def search_watched(self, task: Task, watch: Watch) -> list[Hypothesis]:
        """The hypotheses of the task's one sentence, while every step of the search is told."""
        if not self._is_small:
            return self._answer(task, [0], watch)[0]
        with worker_threads(1, threads_each=1) as pool:
            return pool.submit(self._answer, task, [0], watch).result()[0]

    def _answer(
        self,
        task: Task,
        rows: list[int],
        watch: Watch | None = None,
        on_step: OnStep = lambda: None,
    ) -> Answers:
        device = self._device
        source, mask = pad_sources([task.sources[row] for row in rows])
        phrases = None
        if task.phrases and task.phrases[rows[0]]:  # then all of them have some
            phrases = [Phrases(task.phrases[row], self._continuations) for row in rows]
        question = Question.ask(
            task.config,
            MARKS,
            torch.tensor([task.limits[row] for row in rows], device=device),
            [task.prefixes[row] for row in rows],
            on_step,
        )
        found = search(
            self.model,
            source.to(device),
            mask.to(device),
            question,
            nbest=task.nbest,
            # A sentence draws the same, wherever it stands.
            keys=[zlib.crc32(repr(list(task.sources[row])).encode()) for row in rows],
            phrases=phrases,
            watch=watch,
        )
        if not task.aligned:
            return found
        return with_weights(self.model, task, rows, found, self._alignment_layer)

    @cached_property
    def _is_small(self) -> bool:
        """Whether two threads would wait for each other longer than they compute."""
        return sum(weight.numel() for weight in self.model.parameters()) < FEW_WEIGHTS

    @property
    def _device(self) -> torch.device:
        return next(self.model.parameters()).device


def _by_phrases(task: Task) -> list[list[int]]:
    """The rows that are told what to write, and the others: they are searched in other ways."""
    rows = range(len(task.sources))
    told = [row for row in rows if task.phrases and task.phrases[row]]
    others = [row for row in rows if not (task.phrases and task.phrases[row])]
    return [group for group in (told, others) if group]


def batches(lengths: Sequence[int], tokens: int) -> list[list[int]]:
    """Rows of like length, longest first, so that a batch that is too large shows at once."""
    found: list[list[int]] = []
    width = 0
    for row in sorted(range(len(lengths)), key=lambda row: -lengths[row]):
        if found and (len(found[-1]) + 1) * width <= tokens:
            found[-1].append(row)
        else:
            found.append([row])
            width = lengths[row] + 1
    return found

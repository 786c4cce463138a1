"""Searching with torch: every model, every way to search, every device."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import torch

from heedful.batches.batch import pad_sources
from heedful.decoding.hypothesis import Hypothesis, Marks
from heedful.decoding.question import Question
from heedful.decoding.search import search
from heedful.engines.engine import Task
from heedful.models.seq2seq import Seq2Seq
from heedful.text.special import BOS, EOS, PAD, UNK

BATCH_TOKENS = 4096
MARKS = Marks(start=BOS, end=EOS, never=(PAD, UNK, BOS))


class TorchEngine:
    """heedful's own search over heedful's own models."""

    name = "torch"

    def __init__(self, model: Seq2Seq[Any]) -> None:
        self.model = model

    def refusal(self, task: Task) -> None:
        """It can do everything."""

    def search(self, task: Task) -> list[list[Hypothesis]]:
        """In batches of sentences of like length; the answers come in the sources' order."""
        device = next(self.model.parameters()).device
        found: dict[int, list[Hypothesis]] = {}
        width = task.nbest if task.config.sample else task.config.beam
        lengths = [len(source) for source in task.sources]
        for rows in batches(lengths, (task.config.batch_tokens or BATCH_TOKENS) // width):
            source, mask = pad_sources([task.sources[row] for row in rows])
            question = Question.ask(
                task.config,
                MARKS,
                torch.tensor([task.limits[row] for row in rows], device=device),
                [task.prefixes[row] for row in rows],
            )
            # A sentence draws the same, wherever it stands.
            keys = [zlib.crc32(repr(list(task.sources[row])).encode()) for row in rows]
            answers = search(
                self.model,
                source.to(device),
                mask.to(device),
                question,
                nbest=task.nbest,
                keys=keys,
            )
            found.update(zip(rows, answers, strict=True))
        return [found[i] for i in range(len(task.sources))]


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

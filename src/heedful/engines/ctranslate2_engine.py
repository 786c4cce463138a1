"""Searching with CTranslate2. Needs no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from heedful.decoding.config import DecodingConfig
from heedful.decoding.hypothesis import Hypothesis
from heedful.engines.engine import Ids, Task
from heedful.engines.sharing import evenly
from heedful.text.special import BOS, EOS, FIRST_WORD, PAD

BATCH_TOKENS = 1024
"""Source tokens that one worker takes at a time: few enough to stay in its cache."""


class CTranslate2Engine:
    """A converted model, with as many workers of one thread each as there are threads.

    A worker takes whole batches, so the workers never wait for each other inside a sentence, and
    no thread of OpenMP is started that torch's, in the same process, could get in the way of.
    """

    name = "ctranslate2"

    def __init__(
        self,
        folder: Path,
        *,
        vocabularies: tuple[Sequence[str], Sequence[str]],
        positions: int,
        device: str,
        threads: int,
        compute_type: str,
    ) -> None:
        import ctranslate2

        self._translator = ctranslate2.Translator(
            str(folder),
            device=device,
            inter_threads=threads,
            intra_threads=1,
            compute_type=compute_type,
        )
        self._workers = threads
        self._source, self._target = vocabularies
        self._target_ids = {piece: index for index, piece in enumerate(self._target)}
        self._positions = positions
        self._never = [[self._target[PAD]], [self._target[BOS]]]

    def refusal(self, task: Task) -> str | None:
        """Why it cannot do this; None if it can."""
        config = task.config
        if any(task.phrases):
            return "it cannot be told what must stand in a translation"
        if config.sample:
            return "its draws cannot be repeated sentence by sentence"
        if config.stop != "first":
            return f"it has no decoding.stop = {config.stop!r}"
        if config.beam > 1 and config.normalise != "length":
            return f"it has no decoding.normalise = {config.normalise!r}"
        if config.beam > 1 and config.exponent == 0:
            return "with decoding.alpha = 0 it stops at the first hypothesis that ends"
        possible = len(self._target) - FIRST_WORD + 1  # the words, and the end mark
        if 1 < config.beam > possible:
            return f"in a beam wider than the {possible} tokens it counts ends that do not exist"
        longest = max(task.limits, default=0)
        if longest > self._positions:
            return f"its copy of the model has {self._positions} positions, fewer than {longest}"
        return None

    def search(self, task: Task) -> list[list[Hypothesis]]:
        """All sentences at once; CTranslate2 batches them by length.

        It knows one limit for all. So they are searched with the largest limit, and those that
        came to their own are searched again, with it alone. Where its tokens looked, it is asked
        of what it found: with a beam it tells of a first token what is true of another sentence's.
        """
        found = self._found(task)
        return self._looked_at(task, found) if task.aligned else found

    def _found(self, task: Task) -> list[list[Hypothesis]]:
        found: list[list[Hypothesis]] = [[] for _ in task.sources]
        groups: dict[bool, list[int]] = {}
        for row, prefix in enumerate(task.prefixes):
            if 0 < task.limits[row] <= len(prefix):  # there is nothing to search for
                found[row] = [Hypothesis(tuple(prefix), 0.0, 0.0)]
            else:
                groups.setdefault(bool(prefix), []).append(row)
        for rows in groups.values():
            limit = max(task.limits[row] for row in rows)
            again: dict[int, list[int]] = {}
            for row, answer in zip(rows, self._ask(task, rows, limit), strict=True):
                pieces = answer.hypotheses
                if task.limits[row] < limit and max(map(len, pieces)) >= task.limits[row]:
                    again.setdefault(task.limits[row], []).append(row)
                else:
                    found[row] = self._hypotheses(pieces, answer.scores, task)
            for own, late in again.items():
                for row, answer in zip(late, self._ask(task, late, own), strict=True):
                    found[row] = self._hypotheses(answer.hypotheses, answer.scores, task)
        return found

    def _looked_at(self, task: Task, found: list[list[Hypothesis]]) -> list[list[Hypothesis]]:
        """The same, each with its weights: written once more, as it is."""
        pairs = [(row, h) for row, some in enumerate(found) for h in some]
        written = [(row, h) for row, h in pairs if h.tokens]
        answers = self._translator.translate_batch(
            [self._pieces(self._source, task.sources[row]) for row, _ in written],
            target_prefix=[self._pieces(self._target, h.tokens) for _, h in written],
            max_batch_size=self._batch_size(task.config, [len(h.tokens) for _, h in written]),
            batch_type="tokens",
            beam_size=1,
            return_attention=True,
            max_input_length=0,
            max_decoding_length=max((len(h.tokens) for _, h in written), default=1),
        )
        weights = iter(answer.attention[0] for answer in answers)
        seen = iter(
            replace(h, weights=next(weights)[: len(h.tokens)] if h.tokens else []) for _, h in pairs
        )
        return [[next(seen) for _ in some] for some in found]

    def _ask(self, task: Task, rows: list[int], limit: int) -> list[Any]:
        """All hypotheses that finished: the longest of them shows when the search has stopped."""
        config = task.config
        prefixes = [self._pieces(self._target, task.prefixes[row]) for row in rows]
        answers: list[Any] = self._translator.translate_batch(
            [self._pieces(self._source, task.sources[row]) for row in rows],
            target_prefix=prefixes if any(prefixes) else None,
            max_batch_size=self._batch_size(config, [len(task.sources[row]) for row in rows]),
            batch_type="tokens",
            beam_size=config.beam,
            patience=config.candidates / config.beam,
            num_hypotheses=config.candidates,
            length_penalty=config.exponent,
            return_scores=True,
            return_end_token=True,
            disable_unk=True,
            suppress_sequences=self._never,
            max_input_length=0,
            max_decoding_length=limit,
            min_decoding_length=min(config.min_length, limit),
        )
        return answers

    def _batch_size(self, config: DecodingConfig, lengths: list[int]) -> int:
        """In tokens of the source alone, as CTranslate2 counts them."""
        if config.batch_tokens is not None:
            return max(1, config.batch_tokens // config.beam)
        return evenly(lengths, BATCH_TOKENS, self._workers)

    def _hypotheses(
        self, written: list[list[str]], scores: list[float], task: Task
    ) -> list[Hypothesis]:
        """Those that are asked for."""
        found = []
        for pieces, score in zip(written[: task.nbest], scores[: task.nbest], strict=True):
            ids = tuple([self._target_ids[piece] for piece in pieces])
            length = len(ids)
            words = ids[:-1] if ids and ids[-1] == EOS else ids
            found.append(Hypothesis(words, score * length**task.config.exponent, score))
        return found

    @staticmethod
    def _pieces(vocabulary: Sequence[str], ids: Ids) -> list[str]:
        return [vocabulary[index] for index in ids]

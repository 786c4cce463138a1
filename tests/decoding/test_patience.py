"""A beam search is patient enough to survive the bad ends that label smoothing brings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
import torch
from torch import Tensor

from heedful.decoding.config import DecodingConfig
from heedful.decoding.hypothesis import Marks
from heedful.decoding.patience import usual_patience
from heedful.decoding.phrases import Phrases
from heedful.decoding.question import Question
from heedful.decoding.search import search
from heedful.models.seq2seq import Record, Seq2Seq, shared

END = 3
MARKS = Marks(start=2, end=END, never=(0, 1, 2))
VOCABULARY, LONGEST = 14, 15  # ten words and four marks
SMOOTHING = 0.1


@dataclass(frozen=True)
class Memory:
    source: Tensor  # (B, S)
    mask: Tensor  # (B, S)


@dataclass(frozen=True)
class State:
    source: Tensor  # (N, S)
    step: int

    def select(self, parents: Tensor, sentences: Tensor | None = None) -> State:
        return State(shared(self.source, sentences), self.step)


class SmoothedCopy(Seq2Seq[Memory, State]):
    """Copies its source, which ends with an end mark, as label smoothing teaches it: all other
    tokens share a tenth of the probability, of which the end mark has twice its part."""

    output: Any

    def __init__(self) -> None:
        super().__init__()
        self.output = torch.nn.Identity()

    def encode(self, source: Tensor, mask: Tensor, record: Record | None = None) -> Memory:
        return Memory(source, mask)

    def decode(self, target: Tensor, memory: Memory, record: Record | None = None) -> Tensor:
        raise NotImplementedError

    def start(self, memory: Memory) -> State:
        return State(memory.source, 0)

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        n, k = tokens.shape
        weights = torch.ones(n, k, VOCABULARY)
        weights[:, :, END] = 2
        smoothed = SMOOTHING * weights / weights.sum(-1, keepdim=True)
        right = state.source[:, min(state.step, state.source.shape[1] - 1)]
        rows = torch.arange(n)
        smoothed[rows, :, right] += 1 - SMOOTHING
        return smoothed.log(), State(state.source, state.step + 1)


def found(source: list[int], **settings: Any) -> tuple[int, ...]:
    """The best translation of one source."""
    tokens = torch.tensor([[*source, END]])
    question = Question.ask(DecodingConfig(**settings), MARKS, torch.tensor([LONGEST + 1]))
    return search(SmoothedCopy(), tokens, tokens > 0, question)[0][0].tokens


@pytest.mark.parametrize("length", [5, 8, 10])
@pytest.mark.parametrize("beam", [4, 7])
def test_the_usual_patience_reaches_the_end_of_the_source(beam: int, length: int) -> None:
    source = [4 + n % 10 for n in range(length)]
    patience = usual_patience(VOCABULARY, LONGEST)
    assert found(source, beam=1) == tuple(source)
    assert found(source, beam=beam, stop="exact") == tuple(source)
    assert found(source, beam=beam, patience=patience) == tuple(source)


def test_without_patience_bad_ends_fill_the_beam() -> None:
    """One of each step: the fourth stops the search."""
    source = [4 + n for n in range(8)]
    assert found(source, beam=4, patience=1) == tuple(source[:3])
    assert found(source, beam=4, patience=1.5) == tuple(source[:5])
    assert found(source, beam=4, patience=2.25) == tuple(source)


@pytest.mark.parametrize(("beam", "patience", "candidates"), [(4, 1.5, 6), (3, 13 / 3, 13)])
def test_it_stops_when_so_many_are_finished(beam: int, patience: float, candidates: int) -> None:
    finished: list[int] = []
    tokens = torch.tensor([[*range(4, 14), END]])
    config = DecodingConfig(beam=beam, patience=patience)
    question = Question.ask(config, MARKS, torch.tensor([30]))
    kept = search(
        SmoothedCopy(), tokens, tokens > 0, question, nbest=99,
        watch=lambda _, going, taken: finished.append(int(taken.sum())),
    )  # fmt: skip
    assert sum(finished) >= candidates > sum(finished[:-1])
    assert len(kept[0]) == beam  # the best of them


def test_so_does_a_search_for_phrases() -> None:
    source = [4 + n for n in range(8)]
    tokens = torch.tensor([[*source, END]])

    def with_phrase(patience: float) -> tuple[int, ...]:
        config = DecodingConfig(beam=4, patience=patience)
        question = Question.ask(config, MARKS, torch.tensor([LONGEST + 1]))
        phrases = [Phrases([[4]])]
        return search(SmoothedCopy(), tokens, tokens > 0, question, phrases=phrases)[0][0].tokens

    assert with_phrase(1) != tuple(source)
    assert with_phrase(usual_patience(VOCABULARY, LONGEST)) == tuple(source)


@pytest.mark.parametrize(
    ("beam", "patience", "candidates"),
    [(4, None, 4), (4, 1, 4), (4, 1.1, 4), (5, 1.1, 6), (4, 1.125, 5), (3, 5 / 3, 5), (1, 9, 1)],
)
def test_candidates(beam: int, patience: float | None, candidates: int) -> None:
    assert DecodingConfig(beam=beam, patience=patience).candidates == candidates


def test_the_smaller_the_vocabulary_the_more_patience() -> None:
    assert usual_patience(14, 15) == 1 + 150 / 44
    assert usual_patience(14, 400) == usual_patience(14, 100) == 1 + 1000 / 44
    small, large = (
        DecodingConfig(beam=4).for_model(vocabulary=vocabulary, longest=59).candidates
        for vocabulary in (50, 5720)
    )
    assert (small, large) == (34, 4)
    assert DecodingConfig(beam=4).for_model(vocabulary=8000, longest=512).candidates == 4


def test_a_patience_that_is_given_stays() -> None:
    given = DecodingConfig(patience=1.5)
    assert given.for_model(vocabulary=14, longest=15) is given
    assert DecodingConfig().for_model(vocabulary=14, longest=15).patience == 1 + 150 / 44

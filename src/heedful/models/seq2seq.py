"""The one interface of all models: trainers, searches and pictures know nothing else of them.

Teacher forcing, all positions at once:   memory = encode(source); hidden = decode(target, memory)
Step by step:                             state = start(memory); hidden, state = step(tokens, state)
Both end in                               logits = model.output(hidden)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Generic, Protocol, Self, TypeVar

import torch
from torch import Tensor, nn

from heedful.attention import Look
from heedful.layers import Embedding

Record = Callable[[str, int, Look], None]
"""Takes kind ("encoder", "decoder" or "cross"), layer and Look of each attention."""


class State(Protocol):
    """What a decoder carries from step to step for k hypotheses of each of N sentences: a value,
    passed in and returned."""

    def select(self, parents: Tensor, sentences: Tensor | None = None) -> Self:
        """The hypotheses `parents` (N', k') of the sentences (N'), of all unless given. Either may
        come several times, or not at all; what belongs to a sentence as a whole is shared."""
        ...


class Memory(Protocol):
    """What the encoder hands to the decoder: each model has its own."""

    @property
    def mask(self) -> Tensor:
        """(B, S), True = a word, not padding."""
        ...


MemoryT = TypeVar("MemoryT", bound=Memory)
StateT = TypeVar("StateT", bound=State)


class Seq2Seq(nn.Module, ABC, Generic[MemoryT, StateT]):
    """A model of p(target | source)."""

    embed_source: Embedding
    embed_target: Embedding
    output: Output

    def forward(self, source: Tensor, mask: Tensor, target: Tensor) -> Tensor:
        """Teacher forcing: source (B, S) ids, mask (B, S), True = a word, and target (B, T) ids
        that begin with the start mark -> logits (B, T, vocabulary)."""
        logits: Tensor = self.output(self.decode(target, self.encode(source, mask)))
        return logits

    @abstractmethod
    def encode(self, source: Tensor, mask: Tensor, record: Record | None = None) -> MemoryT:
        """source (B, S) ids, mask (B, S), True = a word."""

    @abstractmethod
    def decode(self, target: Tensor, memory: MemoryT, record: Record | None = None) -> Tensor:
        """target (B, T) ids that begin with the start mark -> hidden states (B, T, d_model)."""

    @abstractmethod
    def start(self, memory: MemoryT) -> StateT:
        """The state before the first step; one hypothesis a sentence."""

    @abstractmethod
    def step(self, tokens: Tensor, state: StateT) -> tuple[Tensor, StateT]:
        """The last token of each hypothesis (N, k) -> hidden states (N, k, d_model), and the state
        after it."""


AnySeq2Seq = Seq2Seq[Any, Any]
"""A model, whichever: no search, trainer or picture asks."""


def chosen(of_hypotheses: Tensor, parents: Tensor, sentences: Tensor | None) -> Tensor:
    """What `State.select` does to a tensor (N, k, ...) that each hypothesis has its own part of."""
    if sentences is not None:
        of_hypotheses = of_hypotheses.index_select(0, sentences)
    rows = torch.arange(len(parents), device=parents.device)[:, None]
    return of_hypotheses[rows, parents]


def shared(of_sentences: Tensor, sentences: Tensor | None) -> Tensor:
    """The same to a tensor (N, ...) that the hypotheses of a sentence share."""
    return of_sentences if sentences is None else of_sentences.index_select(0, sentences)


class Output(nn.Module):
    """hidden (..., d_model) -> logits (..., vocabulary), by a table that embeddings may share, and
    perhaps a number that is added for each word."""

    def __init__(self, table: nn.Parameter, *, has_bias: bool = False) -> None:
        super().__init__()
        self.table = table  # (vocabulary, d_model)
        self.bias = nn.Parameter(torch.zeros(len(table))) if has_bias else None

    def forward(self, hidden: Tensor) -> Tensor:
        hidden, table = self.factors(hidden)
        return hidden @ table.T

    def factors(self, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """Two whose product, the second turned, are the logits: a bias is one more column, by
        which a 1 is multiplied."""
        if self.bias is None:
            return hidden, self.table
        one = hidden.new_ones(*hidden.shape[:-1], 1)
        return torch.cat((hidden, one), -1), torch.cat((self.table, self.bias[:, None]), 1)

"""What a search may not write: each constraint by hand."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from heedful.decoding.constraints import Constraint, Forbidden, ForcedPrefix, MinimumLength

N, K, V = 5, 2, 7
END = 3
ALL = torch.arange(N)


def left(constraint: Constraint, written: int, sentences: Tensor = ALL) -> list[list[set[int]]]:
    """The tokens that each hypothesis of each sentence may still write; the rest is unharmed."""
    torch.manual_seed(11)
    logits = torch.randn(len(sentences), K, V)
    before = logits.clone()
    constraint(logits, written, sentences)
    allowed = logits != -math.inf
    assert torch.equal(logits[allowed], before[allowed])
    return [[set(line.nonzero()[:, 0].tolist()) for line in row] for row in allowed]


def every(*tokens: int, n: int = N) -> list[list[set[int]]]:
    """The same of all hypotheses."""
    return [[set(tokens)] * K] * n


def test_some_tokens_never() -> None:
    for written in (0, 4):
        assert left(Forbidden((0, 2)), written) == every(1, 3, 4, 5, 6)
    assert left(Forbidden(()), 0) == every(*range(V))


def test_no_end_before_so_many_tokens() -> None:
    least = MinimumLength(2, end=END)
    assert left(least, 0) == left(least, 1) == every(0, 1, 2, 4, 5, 6)
    assert left(least, 2) == every(*range(V))


def test_each_sentence_begins_with_its_own_tokens() -> None:
    forced = ForcedPrefix([[5], [], [6, 4], [0, 1, 2], []])
    free = set(range(V))
    wanted = {
        0: [{5}, free, {6}, {0}, free],
        1: [free, free, {4}, {1}, free],
        2: [free, free, free, {2}, free],
        3: [free] * N,
    }
    for written, tokens in wanted.items():
        assert left(forced, written) == [[allowed] * K for allowed in tokens]


def test_sentences_that_are_left_keep_their_own_prefix() -> None:
    """As when others have ended: rows of the logits are no longer those of the batch."""
    forced = ForcedPrefix([[5], [], [6, 4], [0, 1, 2], []])
    found = left(forced, 0, torch.tensor([3, 1, 0]))
    assert found == [[{0}] * K, [set(range(V))] * K, [{5}] * K]


def test_no_prefix_at_all() -> None:
    assert left(ForcedPrefix([[], [], [], [], []]), 0) == every(*range(V))


def test_they_add_up() -> None:
    logits = torch.zeros(N, K, V)
    for constraint in (Forbidden((0, 1, 2)), MinimumLength(1, end=END)):
        constraint(logits, 0, ALL)
    assert (logits[0, 0] == 0).tolist() == [False, False, False, False, True, True, True]

"""What a search may not write: small objects that lower logits to -inf, in place.

Each is called with the logits (N, k, V) of the next token of k hypotheses of N sentences, the
number of tokens written so far, and which sentences (N,) of the batch they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

Constraint = Callable[[Tensor, int, Tensor], None]


class Forbidden:
    """Some tokens never: padding, the start mark, unknown words."""

    def __init__(self, tokens: Sequence[int]) -> None:
        self.tokens = list(tokens)

    def __call__(self, logits: Tensor, written: int, sentences: Tensor) -> None:
        logits[:, :, self.tokens] = -math.inf


class MinimumLength:
    """No end before so many tokens."""

    def __init__(self, tokens: int, *, end: int) -> None:
        self.tokens = tokens
        self.end = end

    def __call__(self, logits: Tensor, written: int, sentences: Tensor) -> None:
        if written < self.tokens:
            logits[:, :, self.end] = -math.inf


class ForcedPrefix:
    """Each sentence begins with given tokens (perhaps none), which are then certain."""

    def __init__(self, prefixes: Sequence[Sequence[int]]) -> None:
        self.longest = max(map(len, prefixes))
        padded = [list(p) + [-1] * (self.longest - len(p)) for p in prefixes]
        self.tokens = torch.tensor(padded).view(len(prefixes), self.longest)  # (B, P), -1 = free

    def __call__(self, logits: Tensor, written: int, sentences: Tensor) -> None:
        if written >= self.longest:
            return
        forced = self.tokens.to(sentences.device)[sentences, written]  # (N,)
        for row in (forced >= 0).nonzero()[:, 0].tolist():
            token = int(forced[row])
            kept = logits[row, :, token].clone()
            logits[row] = -math.inf
            logits[row, :, token] = kept

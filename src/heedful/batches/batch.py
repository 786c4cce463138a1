"""One batch: padded ids, and which of them are real."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heedful.text.special import BOS, EOS, PAD

if TYPE_CHECKING:
    import torch
    from torch import Tensor

Ids = Sequence[int] | NDArray[np.integer]


@dataclass(frozen=True)
class Batch:
    """Sources end with a mark; targets go in behind a start mark and come out with an end mark."""

    source: Tensor  # (B, S)
    source_mask: Tensor  # (B, S), True = a word
    target_in: Tensor  # (B, T): start mark, words
    target_out: Tensor  # (B, T): words, end mark; PAD elsewhere
    n_tokens: int  # real target tokens, end marks included

    def to(self, device: torch.device) -> Batch:
        """The same batch on another device."""
        if self.source.device == device:
            return self
        return replace(
            self,
            source=self.source.to(device),
            source_mask=self.source_mask.to(device),
            target_in=self.target_in.to(device),
            target_out=self.target_out.to(device),
        )

    def shares(self, n: int) -> list[Batch]:
        """Its sentences dealt out to n batches like cards; to fewer if there are not so many."""
        return [
            Batch(
                source=self.source[i::n],
                source_mask=self.source_mask[i::n],
                target_in=self.target_in[i::n],
                target_out=self.target_out[i::n],
                n_tokens=int((self.target_out[i::n] != PAD).sum()),
            )
            for i in range(min(n, len(self.source)))
        ]


def pad(rows: Sequence[Ids], *, before: int | None = None, after: int | None = None) -> Tensor:
    """Sequences of any lengths -> (B, longest), with a mark before or after each, then PAD."""
    import torch  # here: who only looks into prepared data needs none

    first, last = int(before is not None), int(after is not None)
    longest = max(map(len, rows)) + first + last
    padded = np.full((len(rows), longest), PAD, dtype=np.int64)
    for line, ids in zip(padded, rows, strict=True):
        line[first : first + len(ids)] = ids
        if after is not None:
            line[first + len(ids)] = after
    if before is not None:
        padded[:, 0] = before
    return torch.from_numpy(padded)


def pad_sources(sources: Sequence[Ids]) -> tuple[Tensor, Tensor]:
    """-> ids (B, S) with end marks, mask (B, S)."""
    source = pad(sources, after=EOS)
    return source, source != PAD


def make_batch(sources: Sequence[Ids], targets: Sequence[Ids]) -> Batch:
    """Pads both sides of some pairs."""
    source, source_mask = pad_sources(sources)
    return Batch(
        source=source,
        source_mask=source_mask,
        target_in=pad(targets, before=BOS),
        target_out=pad(targets, after=EOS),
        n_tokens=sum(map(len, targets)) + len(targets),
    )

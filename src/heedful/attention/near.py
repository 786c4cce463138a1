"""Restricted self-attention, section 4 of "Attention Is All You Need": each position looks at its
neighbours alone. Cost and memory grow as n · r, not as n²."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from heedful.attention.attend import Scoring, attend_unseen
from heedful.attention.masks import Reach

FEWEST = 32  # queries of a block: for fewer, copying their keys costs more than it saves


def attend_near(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    reach: Reach,
    mask: Tensor | None = None,
    score: Scoring | None = None,
) -> Tensor:
    """The context of `attend` under `window_mask(L, reach)`, and under a mask (B, 1, 1, L) too; by
    scaled dot products or by another score, of one query and one key, wherever these stand.

    query, key (B, H, L, d_k), value (B, H, L, d_v) -> (B, H, L, d_v).

    Neighbouring queries have almost the same neighbours: a block of them looks at one span of keys,
    in which a band is theirs.
    """
    batch, n_heads, length, d_k = query.shape
    # Nobody looks beyond the sentence's ends: a window that is wider than it costs no more.
    reach = Reach(min(reach.before, length - 1), min(reach.after, length - 1))
    block = min(length, max(FEWEST, sum(reach)))
    n_blocks = -(-length // block)
    filling = n_blocks * block - length

    def spans(x: Tensor) -> Tensor:
        """(B, H, L, d) -> (B * n_blocks, H, span, d)."""
        padded = F.pad(x, (0, 0, reach.before, filling + reach.after))
        cut = padded.unfold(2, block + sum(reach), block)  # (B, H, n_blocks, d, span)
        return cut.permute(0, 2, 1, 4, 3).flatten(0, 1)

    blocks = F.pad(query, (0, 0, 0, filling)).reshape(batch, n_heads, n_blocks, block, d_k)
    blocks = blocks.transpose(1, 2).flatten(0, 1)  # (B * n_blocks, H, block, d_k)
    bias = _bias(query, reach, mask, block, n_blocks)
    context = attend_unseen(blocks, spans(key), spans(value), bias, score)
    context = context.reshape(batch, n_blocks, n_heads, block, -1).transpose(1, 2).flatten(2, 3)
    return context[:, :, :length]


def _bias(query: Tensor, reach: Reach, mask: Tensor | None, block: int, n_blocks: int) -> Tensor:
    """What to add to the scores: 0 in the band and inside the sentence, else the lowest number.

    -> (B or 1 * n_blocks, 1, block, span)
    """
    length, span = query.shape[2], block + sum(reach)
    if mask is None:
        mask = torch.ones(1, length, dtype=torch.bool, device=query.device)
    else:
        mask = mask[:, 0, 0]
    edges = reach.before, n_blocks * block - length + reach.after
    there = F.pad(mask, edges).unfold(1, span, block)  # (B, n_blocks, span)
    band = torch.ones(block, span, dtype=torch.bool, device=query.device).triu().tril(sum(reach))
    seen = (band & there[:, :, None]).expand(len(query), -1, -1, -1).flatten(0, 1)[:, None]
    return query.new_zeros(seen.shape).masked_fill_(~seen, torch.finfo(query.dtype).min)

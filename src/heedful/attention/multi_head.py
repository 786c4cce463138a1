"""Multi-head attention: project, split into heads, attend, join."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from heedful.attention.attend import attend, attend_unseen
from heedful.attention.look import Look, Recorder
from heedful.attention.masks import Reach, causal_mask, window_mask
from heedful.attention.near import attend_near
from heedful.attention.scores import ScaledDot, Score


class MultiHeadAttention(nn.Module):
    """MultiHead(Q, K, V) = Concat(head_1 … head_h) W_O, head_i = Attention(Q W_i, K W_i, V W_i).

    The projections of all heads to queries, keys and values lie below each other in one matrix:
    where a sequence looks at itself, one product serves all three. Unless given, d_k and d_v are
    d_model / n_heads and the score is the paper's. With a reach a sequence that looks at itself
    does so at neighbours alone.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        *,
        d_k: int | None = None,
        d_v: int | None = None,
        score: Score | None = None,
        reach: Reach | None = None,
    ) -> None:
        super().__init__()
        if d_model % n_heads and (d_k is None or d_v is None):
            raise ValueError(
                f"n_heads = {n_heads} does not divide d_model = {d_model}: give both d_k and d_v, "
                f"or another n_heads"
            )
        d_k = d_model // n_heads if d_k is None else d_k
        d_v = d_model // n_heads if d_v is None else d_v
        self.n_heads, self.d_k, self.d_v = n_heads, d_k, d_v
        self.score, self.reach = score or ScaledDot(), reach
        self.widths = [n_heads * d_k, n_heads * d_k, n_heads * d_v]
        self.project = nn.Linear(d_model, sum(self.widths))
        self.join = nn.Linear(n_heads * d_v, d_model)
        for part in self.project.weight.detach().split_with_sizes(self.widths):
            nn.init.xavier_uniform_(part)
        nn.init.xavier_uniform_(self.join.weight)

    def forward(
        self,
        query: Tensor,
        memory: Tensor,
        mask: Tensor | None = None,
        record: Recorder | None = None,
        *,
        causal: bool = False,
    ) -> Tensor:
        """query (B, L, d_model) looks at memory (B, M, d_model) -> (B, L, d_model)."""
        if query is memory:
            return self.look(
                *self.project_all(query), mask, record, causal=causal, reach=self.reach
            )
        keys, values = self.keys_and_values(memory)
        return self.look(self.queries(query), keys, values, mask, record, causal=causal)

    def project_all(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """(B, L, d_model) -> queries and keys (B, H, L, d_k), values (B, H, L, d_v)."""
        query, key, value = torch.split(self.project(x), self.widths, dim=-1)
        return self._heads(query), self.score.keys(self._heads(key)), self._heads(value)

    def queries(self, x: Tensor) -> Tensor:
        """(B, L, d_model) -> (B, H, L, d_k)."""
        n = self.widths[0]
        return self._heads(F.linear(x, self.project.weight[:n], self.project.bias[:n]))

    def keys_and_values(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """(B, M, d_model) -> keys (B, H, M, d_k), values (B, H, M, d_v): what a decoder keeps."""
        n = self.widths[0]
        both = F.linear(memory, self.project.weight[n:], self.project.bias[n:])
        key, value = torch.split(both, self.widths[1:], dim=-1)
        return self.score.keys(self._heads(key)), self._heads(value)

    def look(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        mask: Tensor | None = None,
        record: Recorder | None = None,
        *,
        causal: bool = False,
        reach: Reach | None = None,
    ) -> Tensor:
        """Attends with what was projected before, and joins the heads -> (B, L, d_model). A reach
        says by itself whether it ends at each position, as causal attention does."""
        if causal and mask is not None:
            raise ValueError("a mask and causal = True: join the causal mask to the other instead")
        if record is None:
            score = None if self.score.is_fused else self.score
            if reach is not None:
                context = attend_near(queries, keys, values, reach, mask, score)
            else:
                context = attend_unseen(queries, keys, values, mask, score, causal=causal)
        else:
            length, device = queries.shape[2], queries.device
            if reach is not None:
                near = window_mask(length, reach, device)
                mask = near if mask is None else near & mask
            elif causal:
                mask = causal_mask(length, device)
            context, weights = attend(queries, keys, values, mask, self.score)
        joined: Tensor = self.join(context.transpose(1, 2).flatten(2))  # (B, L, H * d_v)
        if record is not None:
            scores, divisor = self.score(queries, keys), self.score.divisor(self.d_k)
            seen = (queries, keys, values, scores, divisor, mask, weights, joined)
            record(Look(*seen, score=self.score.formula))
        return joined

    def _heads(self, x: Tensor) -> Tensor:
        """(B, L, H * d) -> (B, H, L, d)."""
        batch, length, width = x.shape
        return x.reshape(batch, length, self.n_heads, width // self.n_heads).transpose(1, 2)

"""Multi-head attention: project, split into heads, attend, join."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor, nn

from heedful.attention.attend import attend, attend_unseen

Recorder = Callable[[Tensor], None]
"""Takes the weights (B, H, L, M) of one attention. Where none is given, none are kept."""


class MultiHeadAttention(nn.Module):
    """MultiHead(Q, K, V) = Concat(head_1 … head_h) W_O, head_i = Attention(Q W_i, K W_i, V W_i)."""

    def __init__(self, *, d_model: int, n_heads: int, d_k: int, d_v: int) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.query = nn.Linear(d_model, n_heads * d_k)
        self.key = nn.Linear(d_model, n_heads * d_k)
        self.value = nn.Linear(d_model, n_heads * d_v)
        self.join = nn.Linear(n_heads * d_v, d_model)

    def forward(
        self, query: Tensor, memory: Tensor, mask: Tensor | None, record: Recorder | None = None
    ) -> Tensor:
        """query (B, L, d_model) looks at memory (B, M, d_model) -> (B, L, d_model)."""
        return self.look(query, *self.keys_and_values(memory), mask, record)

    def keys_and_values(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """(B, M, d_model) -> keys (B, H, M, d_k), values (B, H, M, d_v): what a decoder keeps."""
        return self._split(self.key(memory)), self._split(self.value(memory))

    def look(
        self,
        query: Tensor,
        keys: Tensor,
        values: Tensor,
        mask: Tensor | None,
        record: Recorder | None = None,
    ) -> Tensor:
        """The same with keys and values that were made before."""
        queries = self._split(self.query(query))  # (B, H, L, d_k)
        if record is None:
            context = attend_unseen(queries, keys, values, mask)
        else:
            context, weights = attend(queries, keys, values, mask)
            record(weights)
        joined: Tensor = self.join(context.transpose(1, 2).flatten(2))  # (B, L, H * d_v)
        return joined

    def _split(self, x: Tensor) -> Tensor:
        """(B, L, H * d) -> (B, H, L, d)."""
        batch, length, width = x.shape
        return x.view(batch, length, self.n_heads, width // self.n_heads).transpose(1, 2)

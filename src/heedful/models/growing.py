"""What a decoder keeps of the positions written so far, one more at every step."""

from __future__ import annotations

from dataclasses import dataclass, field

from torch import Tensor

ROOM = 16  # positions that there is room for at first


@dataclass(frozen=True)
class Growing:
    """(N, H, length, d), with room to grow: a value, though what it grows by is not copied.

    The room behind the end is shared by all that grew from the same beginning. The first to grow
    writes there; whoever comes after moves to a room of its own.
    """

    room: Tensor  # (N, H, at least length, d)
    length: int
    written: list[int] = field(default_factory=lambda: [0])  # how far, shared with the room

    @classmethod
    def from_nothing(cls, n: int, n_heads: int, width: int, like: Tensor) -> Growing:
        """With no position yet."""
        return cls(like.new_empty(n, n_heads, ROOM, width), 0)

    def get(self) -> Tensor:
        """(N, H, length, d)."""
        return self.room[:, :, : self.length]

    def extended(self, more: Tensor) -> Growing:
        """With `more` (N, H, m, d) at the end."""
        end = self.length + more.shape[2]
        grown = self
        if self.written[0] != self.length or end > self.room.shape[2]:
            n, n_heads, _, width = self.room.shape
            grown = Growing(self.room.new_empty(n, n_heads, end + end // 2, width), end)
            grown.room[:, :, : self.length] = self.get()
        grown.room[:, :, self.length : end] = more
        grown.written[0] = end
        return Growing(grown.room, end, grown.written)

    def select(self, rows: Tensor) -> Growing:
        """These of the N, with as much room."""
        return Growing(self.room.index_select(0, rows), self.length, [self.length])

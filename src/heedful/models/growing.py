"""What a decoder keeps of the positions written so far, one more at every step."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from torch import Tensor

ROOM = 16  # positions that there is room for at first


@dataclass(frozen=True)
class Growing:
    """(N, H, length, d), with room to grow: a value, though what it grows by is not copied. What
    lies before `start` is forgotten, and left behind when it moves.

    The room behind the end is shared by all that grew from the same beginning. The first to grow
    writes there; whoever comes after moves to a room of its own.
    """

    room: Tensor  # (N, H, at least end, d)
    end: int
    start: int = 0
    written: list[int] = field(default_factory=lambda: [0])  # how far, shared with the room

    @classmethod
    def from_nothing(cls, n: int, n_heads: int, width: int, like: Tensor) -> Growing:
        """With no position yet."""
        return cls(like.new_empty(n, n_heads, ROOM, width), 0)

    def get(self) -> Tensor:
        """(N, H, length, d)."""
        return self.room[:, :, self.start : self.end]

    def without(self, n: int) -> Growing:
        """The same without its first n positions."""
        return replace(self, start=self.start + n) if n else self

    def extended(self, more: Tensor) -> Growing:
        """With `more` (N, H, m, d) at the end."""
        place = self
        if self.written[0] != self.end or self.end + more.shape[2] > self.room.shape[2]:
            place = self._moved(self.end - self.start + more.shape[2])
        end = place.end + more.shape[2]
        place.room[:, :, place.end : end] = more
        place.written[0] = end
        return replace(place, end=end)

    def _moved(self, needed: int) -> Growing:
        """To a room of its own, half as large again as it needs to be."""
        n, n_heads, _, width = self.room.shape
        kept = self.get()
        room = self.room.new_empty(n, n_heads, needed + needed // 2, width)
        room[:, :, : kept.shape[2]] = kept
        return Growing(room, kept.shape[2])

    def select(self, rows: Tensor) -> Growing:
        """These of the N, with as much room."""
        return replace(self, room=self.room.index_select(0, rows), written=[self.end])

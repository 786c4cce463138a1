"""What can no longer change while a sentence is searched for: where all that may win agree."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from heedful.decoding.beam import Candidates


class Settled:
    """Watches the search of one sentence, and tells at every step which ids have become certain,
    perhaps none. A live hypothesis may win, and so may every one that has ended."""

    def __init__(self, end: int, tell: Callable[[list[int]], None]) -> None:
        self._end = end
        self._tell = tell
        self._told = 0
        self._ended: list[list[int]] = []

    def __call__(self, candidates: Candidates, going: Tensor, taken: Tensor) -> None:
        """A step."""
        written = candidates.tokens[0, :, 1:]  # without the start mark
        self._ended += written[taken[0]].tolist()
        live = written[going[0]].tolist() if len(going) else []
        common = _common([*live, *self._ended])
        words = [token for token in common[self._told :] if token != self._end]
        self._told += len(words)
        self._tell(words)


def _common(rows: list[list[int]]) -> list[int]:
    """What all begin with."""
    first, last = min(rows), max(rows)  # in dictionary order: what these share, all do
    n = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), None)
    return first if n is None else first[:n]

"""The steps of a beam search as a tree of pieces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from heedful.see.recording.record import Fate, Node

if TYPE_CHECKING:
    from torch import Tensor

    from heedful.decoding.beam import Candidates


class Tree:
    """Watches the search of one sentence: see `beam_search`."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._vocabulary = vocabulary
        self._nodes: list[Node] = []
        self._tokens: list[tuple[int, ...]] = []  # of each node, all from the beginning
        self._beams: list[int | None] = [None]  # the node in which each live hypothesis ends

    def __call__(self, candidates: Candidates, going: Tensor, taken: Tensor) -> None:
        """A step: which of the candidates (1, 2k) go on (1, k), and which are taken as finished
        (1, 2k)."""
        live = [] if not len(going) else going[0].tolist()
        beams: dict[int, int] = {}
        for place, parent in enumerate(candidates.parents[0].tolist()):
            log_prob = float(candidates.log_probs[0, place])
            if log_prob == -math.inf:
                continue
            tokens = tuple(candidates.tokens[0, place, 1:].tolist())
            finished = bool(taken[0, place])
            fate: Fate = "ends" if finished else "goes on" if place in live else "given up"
            beams[place] = len(self._nodes)
            self._add(self._beams[parent], tokens, log_prob, fate)
        self._beams = [beams.get(place) for place in live]

    def nodes(self, written: Sequence[int], log_prob: float) -> tuple[Node, ...]:
        """All, with those marked that lead to the tokens which were written, end mark included."""
        whole = tuple(written)
        if whole not in self._tokens:  # an exact search also ends where an end is no candidate
            before = self._tokens.index(whole[:-1]) if len(whole) > 1 else None
            self._add(before, whole, log_prob, "ends")
        return tuple(
            replace(node, chosen=tokens == whole[: len(tokens)])
            for node, tokens in zip(self._nodes, self._tokens, strict=True)
        )

    def _add(
        self, before: int | None, tokens: tuple[int, ...], log_prob: float, fate: Fate
    ) -> None:
        gone = self._nodes[before].log_prob if before is not None else 0.0
        piece = self._vocabulary[tokens[-1]]
        self._tokens.append(tokens)
        self._nodes.append(
            Node(before, len(tokens), piece, math.exp(log_prob - gone), log_prob, fate, False)
        )

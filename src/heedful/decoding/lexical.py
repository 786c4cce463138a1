"""Beam search for translations that contain given phrases (Post and Vilar 2018).

Hypotheses with more of the phrases written are less probable for it, and would be crowded out. So
each place in the beam belongs to a bank: hypotheses compete with those that have as many tokens of
phrases written as they have. Only with all of them written may a translation end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from heedful.decoding.hypothesis import Hypothesis
from heedful.decoding.phrases import Phrases, Written
from heedful.decoding.question import Question
from heedful.models.seq2seq import AnySeq2Seq, Memory

WIDEST = 16  # places of a beam that grows with its phrases


@dataclass(frozen=True)
class Live:
    """A hypothesis that goes on."""

    tokens: tuple[int, ...]
    log_prob: float
    written: Written
    parent: int  # its place in the beam before


def lexical_search(
    model: AnySeq2Seq, memory: Memory, question: Question, phrases: Sequence[Phrases]
) -> list[list[Hypothesis]]:
    """The finished hypotheses of each sentence, the best first: as many as the beam is wide."""
    found: list[list[Hypothesis]] = [[] for _ in memory.mask]
    sentences = list(range(len(found)))
    beams = [[Live((), 0.0, Written(), 0)] for _ in sentences]
    state = model.start(memory)
    step = 0
    while sentences:
        last = _last_tokens(beams, question.marks.start, memory.mask.device)
        hidden, state = model.step(last, state)
        rows = torch.tensor(sentences, device=last.device)
        log_probs = question.log_probs(model.output(hidden), step, rows)  # (N, K, V)
        step += 1
        going: list[tuple[int, list[Live]]] = []
        for n, sentence in enumerate(sentences):
            grow = _Growth(question, phrases[sentence], int(question.limits[sentence]), step)
            ended, live = grow(beams[n], log_probs[n, : len(beams[n])])
            found[sentence] += ended
            if live and len(found[sentence]) < question.config.candidates:
                going.append((n, live))
        sentences = [sentences[n] for n, _ in going]
        beams = [live for _, live in going]
        if going:
            kept = torch.tensor([n for n, _ in going], device=last.device)
            state = state.select(_parents(beams, last.device), kept)
    return [sorted(some, key=lambda h: -h.score)[: question.config.beam] for some in found]


def _parents(beams: list[list[Live]], device: torch.device) -> Tensor:
    """What the hypotheses grew from; a short beam is filled up with anything."""
    widest = max(map(len, beams))
    parents = [[h.parent for h in beam] + [0] * (widest - len(beam)) for beam in beams]
    return torch.tensor(parents, device=device)


def _last_tokens(beams: list[list[Live]], start: int, device: torch.device) -> Tensor:
    widest = max(map(len, beams))
    rows = [[h.tokens[-1] if h.tokens else start for h in beam] for beam in beams]
    return torch.tensor([row + [start] * (widest - len(row)) for row in rows], device=device)


class _Growth:
    """One step of one sentence."""

    def __init__(self, question: Question, phrases: Phrases, limit: int, step: int) -> None:
        self._question = question
        self._phrases = phrases
        self._limit = limit
        self._step = step
        self._width = min(question.config.beam + phrases.length, max(WIDEST, question.config.beam))

    def __call__(self, beam: list[Live], log_probs: Tensor) -> tuple[list[Hypothesis], list[Live]]:
        """The hypotheses that end here, and those that go on."""
        end, total = self._question.marks.end, self._phrases.length
        candidates = self._candidates(beam, log_probs)
        ranked = sorted(candidates, key=lambda c: -c.log_prob)
        whole = [c for c in ranked if self._phrases.met(c.written) == total]
        at_limit = self._step >= self._limit
        ended = [
            self._question.finished(c.tokens, c.log_prob)
            for c in whole[: self._question.config.beam]
            if c.tokens[-1] == end or at_limit
        ]
        live = [c for c in ranked if c.tokens[-1] != end]
        return ended, [] if at_limit else self._by_banks(live)

    def _candidates(self, beam: list[Live], log_probs: Tensor) -> list[Live]:
        """The best of all; the best of each; and whatever brings a phrase forward."""
        k, size = log_probs.shape
        totals = log_probs + log_probs.new_tensor([h.log_prob for h in beam])[:, None]
        best = totals.flatten().topk(min(2 * self._width, k * size)).indices.tolist()
        pairs = {divmod(place, size) for place in best}
        pairs |= {(n, token) for n, token in enumerate(totals.argmax(-1).tolist())}
        for n, hypothesis in enumerate(beam):
            pairs |= {(n, token) for token in self._phrases.wanted(hypothesis.written)}
        chosen = sorted(pairs)
        values = totals[[n for n, _ in chosen], [token for _, token in chosen]].tolist()
        return [
            grown
            for (n, token), value in zip(chosen, values, strict=True)
            if value > -math.inf and (grown := self._grown(beam[n], n, token, value)) is not None
        ]

    def _grown(self, parent: Live, place: int, token: int, log_prob: float) -> Live | None:
        """None if the phrases would find no room any more, or it ends without them, or a phrase
        would not stay what it is."""
        written = parent.written
        if not self._phrases.may_follow(written, token):
            return None
        if token != self._question.marks.end:
            written = self._phrases.next(written, token)
        lacking = self._phrases.length - self._phrases.met(written)
        is_end = token == self._question.marks.end
        if lacking and (is_end or lacking > self._limit - self._step):
            return None
        return Live((*parent.tokens, token), log_prob, written, place)

    def _by_banks(self, ranked: list[Live]) -> list[Live]:
        """The beam's places, shared among the banks in turn: the best of each, the second best of
        each, and so on; those with the most written first."""
        banks: dict[int, list[Live]] = {}
        for candidate in ranked:
            banks.setdefault(self._phrases.met(candidate.written), []).append(candidate)
        order = sorted(banks, reverse=True)
        deepest = max(map(len, banks.values()), default=0)
        turns = (banks[b][turn] for turn in range(deepest) for b in order if turn < len(banks[b]))
        return [candidate for candidate, _ in zip(turns, range(self._width), strict=False)]

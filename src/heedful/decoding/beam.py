"""Beam search, all sentences of a batch at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from heedful.decoding.hypothesis import Hypothesis, Question
from heedful.models.seq2seq import Memory, Seq2Seq, State


@dataclass(frozen=True)
class Beams:
    """The live hypotheses of the N sentences that are still searched, k for each.

    Where there are fewer than k, as before the first step, the others have log-probability -inf.
    """

    sentences: Tensor  # (N,) which sentence of the batch
    tokens: Tensor  # (N, k, t) written so far, start mark first
    log_probs: Tensor  # (N, k) of all that is written
    state: State  # N * k rows


def beam_search(model: Seq2Seq[Any], memory: Memory, question: Question) -> list[list[Hypothesis]]:
    """The finished hypotheses of each sentence, the best first: as many as the beam is wide."""
    width, config = question.config.beam, question.config
    found: list[list[Hypothesis]] = [[] for _ in memory.mask]
    beams = _begin(model, memory, question)
    written = 0
    while len(beams.sentences):
        log_probs, state = _next_log_probs(model, beams, question, written)  # (N, k, V)
        totals = beams.log_probs[:, :, None] + log_probs
        if config.stop == "exact":
            # Every live hypothesis may end here, however unlikely; none is lost.
            _collect(found, beams, question, ends=totals[:, :, question.marks.end])
            totals[:, :, question.marks.end] = -math.inf
        written += 1
        beams = _grow(found, beams, question, totals, state, written)
        at_limit = written >= question.limits[beams.sentences]
        _collect(found, beams, question, ends=beams.log_probs, rows=at_limit)
        done = at_limit | _settled(found, beams, question)
        if done.any():
            beams = _keep(beams, (~done).nonzero()[:, 0])
    return [sorted(hypotheses, key=lambda h: -h.score)[:width] for hypotheses in found]


def _begin(model: Seq2Seq[Any], memory: Memory, question: Question) -> Beams:
    n, width, device = len(memory.mask), question.config.beam, memory.mask.device
    sentences = torch.arange(n, device=device)
    log_probs = torch.full((n, width), -math.inf, device=device)
    log_probs[:, 0] = 0
    tokens = torch.full((n, width, 1), question.marks.start, device=device)
    state = model.start(memory).select(sentences.repeat_interleave(width))
    return Beams(sentences, tokens, log_probs, state)


def _next_log_probs(
    model: Seq2Seq[Any], beams: Beams, question: Question, written: int
) -> tuple[Tensor, State]:
    """One step of the model -> (N, k, V), and the state after it."""
    n, width, _ = beams.tokens.shape
    hidden, state = model.step(beams.tokens[:, :, -1].flatten(), beams.state)
    log_probs = model.output(hidden).float().log_softmax(-1).view(n, width, -1)
    return question.constrain(log_probs, written, beams.sentences), state


def _grow(
    found: list[list[Hypothesis]],
    beams: Beams,
    question: Question,
    totals: Tensor,
    state: State,
    written: int,
) -> Beams:
    """The best k continuations that go on. Those among the k best that end are collected; a place
    that becomes free so goes to the next best, hence 2k candidates."""
    n, width, vocabulary = totals.shape
    best, flat = totals.flatten(1).topk(min(2 * width, width * vocabulary))  # (N, 2k)
    parents, tokens = flat // vocabulary, flat % vocabulary
    ends = tokens == question.marks.end
    grown = torch.cat(
        (beams.tokens.gather(1, parents[:, :, None].expand(-1, -1, written)), tokens[:, :, None]),
        dim=2,
    )  # (N, 2k, t + 1)
    within = ends[:, :width] & (best[:, :width] > -math.inf)
    for i, j in within.nonzero().tolist():
        hypothesis = question.finished(grown[i, j, 1:].tolist(), float(best[i, j]))
        found[int(beams.sentences[i])].append(hypothesis)

    ranks = torch.arange(ends.shape[1], device=ends.device) + ends * ends.shape[1]
    going = ranks.argsort(-1)[:, :width]  # the first k that do not end
    live = best.masked_fill(ends, -math.inf).gather(1, going)
    rows = parents.gather(1, going) + width * torch.arange(n, device=going.device)[:, None]
    return Beams(
        beams.sentences,
        grown.gather(1, going[:, :, None].expand(-1, -1, written + 1)),
        live,
        state.select(rows.flatten()),
    )


def _collect(
    found: list[list[Hypothesis]],
    beams: Beams,
    question: Question,
    *,
    ends: Tensor,
    rows: Tensor | None = None,
) -> None:
    """Takes live hypotheses as finished, with the log-probabilities `ends` (N, k)."""
    wanted = ends > -math.inf if rows is None else (ends > -math.inf) & rows[:, None]
    marks = [question.marks.end] if rows is None else []
    for i, j in wanted.nonzero().tolist():
        tokens = [*beams.tokens[i, j, 1:].tolist(), *marks]
        found[int(beams.sentences[i])].append(question.finished(tokens, float(ends[i, j])))


def _settled(found: list[list[Hypothesis]], beams: Beams, question: Question) -> Tensor:
    """Which sentences are done: nothing is live, or the setting `stop` is content."""
    best_live = beams.log_probs.max(-1).values
    settled = best_live == -math.inf
    for i, sentence in enumerate(beams.sentences.tolist()):
        if len(found[sentence]) >= question.config.beam:
            settled[i] = question.config.stop == "first" or _unbeatable(
                found[sentence], float(best_live[i]), int(question.limits[sentence]), question
            )
    return settled


def _unbeatable(
    hypotheses: list[Hypothesis], best_live: float, limit: int, question: Question
) -> bool:
    """No live hypothesis would enter the k best, even if it went on to its limit with certainty."""
    kept = sorted((h.score for h in hypotheses), reverse=True)[: question.config.beam]
    return kept[-1] >= best_live / question.config.divisor(limit)


def _keep(beams: Beams, rows: Tensor) -> Beams:
    width = beams.log_probs.shape[1]
    hypotheses = (rows[:, None] * width + torch.arange(width, device=rows.device)).flatten()
    return Beams(
        beams.sentences[rows],
        beams.tokens[rows],
        beams.log_probs[rows],
        beams.state.select(hypotheses),
    )

"""Beam search, all sentences of a batch at once."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from heedful.decoding.hypothesis import Hypothesis
from heedful.decoding.question import Question
from heedful.decoding.top import top
from heedful.models.seq2seq import AnySeq2Seq, Memory, State


@dataclass(frozen=True)
class Beams:
    """The live hypotheses of the N sentences that are still searched, k for each.

    Where there are fewer than k their log-probability is -inf.
    """

    sentences: Tensor  # (N,) which sentence of the batch
    tokens: Tensor  # (N, k, t) written so far, start mark first
    log_probs: Tensor  # (N, k) of all that is written
    state: State


@dataclass(frozen=True)
class Candidates:
    """The best ways to go on from the beams of a step, 2k for each sentence, best first: if k of
    them end, k are left to go on with."""

    parents: Tensor  # (N, 2k) which of the beams
    tokens: Tensor  # (N, 2k, t + 1)
    log_probs: Tensor  # (N, 2k)
    ends: Tensor  # (N, 2k) whether the last token is the end mark


Watch = Callable[[Candidates, Tensor, Tensor], None]
"""Is told of every step: the candidates, which of them go on (N', k), of the sentences that do, and
which are taken as finished (N, 2k)."""


def beam_search(
    model: AnySeq2Seq, memory: Memory, question: Question, watch: Watch | None = None
) -> list[list[Hypothesis]]:
    """The finished hypotheses of each sentence, the best first: as many as the beam is wide."""
    found: list[list[Hypothesis]] = [[] for _ in memory.mask]
    beams = _begin(model, memory, question)
    k, written = question.config.beam, 0
    while len(beams.sentences):
        hidden, state = model.step(beams.tokens[:, :, -1], beams.state)
        log_probs = question.log_probs(model.output(hidden), written, beams.sentences)  # (N, k, V)
        if question.config.stop == "exact":
            # Every live hypothesis may end here, however unlikely; none is lost.
            _collect_ends(found, beams, question, log_probs)
        written += 1
        candidates = _candidates(beams, question, log_probs, written)
        at_limit = written >= question.limits[beams.sentences]
        taken = _finished(candidates, k, at_limit)
        _collect(found, beams, candidates, question, taken)
        live = candidates.log_probs.masked_fill(candidates.ends, -math.inf)
        done = at_limit | _settled(found, beams.sentences, live.max(-1).values, question)
        rows = (~done).nonzero()[:, 0]
        going = _first_that_do_not_end(candidates.ends[rows], k)
        if watch is not None:
            watch(candidates, going, taken)
        beams = _go_on(beams, candidates, live, state, rows, going)
    return [sorted(hypotheses, key=lambda h: -h.score)[:k] for hypotheses in found]


def _begin(model: AnySeq2Seq, memory: Memory, question: Question) -> Beams:
    """One hypothesis a sentence, with nothing written; the first step makes k of it."""
    n, device = len(memory.mask), memory.mask.device
    return Beams(
        sentences=torch.arange(n, device=device),
        tokens=torch.full((n, 1, 1), question.marks.start, device=device),
        log_probs=torch.zeros(n, 1, device=device),
        state=model.start(memory),
    )


def _candidates(beams: Beams, question: Question, log_probs: Tensor, written: int) -> Candidates:
    each, tokens = top(log_probs, 2 * question.config.beam)  # (N, k, 2 * beam)
    totals = (beams.log_probs[:, :, None] + each).flatten(1)
    best, flat = totals.topk(min(2 * question.config.beam, totals.shape[1]))  # (N, 2 * beam)
    parents, last = flat // each.shape[-1], tokens.flatten(1).gather(1, flat)
    grown = torch.cat(
        (beams.tokens.gather(1, parents[:, :, None].expand(-1, -1, written)), last[:, :, None]),
        dim=2,
    )
    ends = last == question.marks.end
    # Straight behind a prefix an end is taken from the very best candidate alone.
    given = question.given[beams.sentences, None]
    best[:, 1:].masked_fill_(ends[:, 1:] & (given > 0) & (given == written - 1), -math.inf)
    return Candidates(parents, grown, best, ends)


def _finished(candidates: Candidates, k: int, at_limit: Tensor) -> Tensor:
    """Those of the best k candidates that end; at the limit all of them -> (N, 2k)."""
    finished = (candidates.ends | at_limit[:, None]) & (candidates.log_probs > -math.inf)
    finished[:, k:] = False
    return finished


def _collect(
    found: list[list[Hypothesis]],
    beams: Beams,
    candidates: Candidates,
    question: Question,
    taken: Tensor,
) -> None:
    rows, columns = taken.nonzero().T
    hypotheses = zip(
        beams.sentences[rows].tolist(),
        candidates.tokens[rows, columns, 1:].tolist(),
        candidates.log_probs[rows, columns].tolist(),
        strict=True,
    )
    for sentence, tokens, log_prob in hypotheses:
        found[sentence].append(question.finished(tokens, log_prob))


def _collect_ends(
    found: list[list[Hypothesis]], beams: Beams, question: Question, log_probs: Tensor
) -> None:
    """Takes every live hypothesis as finished with an end mark, and forbids the mark then."""
    ends = beams.log_probs + log_probs[:, :, question.marks.end]
    log_probs[:, :, question.marks.end] = -math.inf
    for i, j in (ends > -math.inf).nonzero().tolist():
        tokens = [*beams.tokens[i, j, 1:].tolist(), question.marks.end]
        found[int(beams.sentences[i])].append(question.finished(tokens, float(ends[i, j])))


def _settled(
    found: list[list[Hypothesis]], sentences: Tensor, best_live: Tensor, question: Question
) -> Tensor:
    """Which sentences are done: nothing is live, or the setting `stop` is content."""
    content = []
    for sentence, best in zip(sentences.tolist(), best_live.tolist(), strict=True):
        if question.config.stop == "first":
            enough = len(found[sentence]) >= question.config.candidates
        else:
            enough = _unbeatable(found[sentence], best, int(question.limits[sentence]), question)
        content.append(enough or best == -math.inf)
    return torch.tensor(content, device=sentences.device)


def _unbeatable(
    hypotheses: list[Hypothesis], best_live: float, limit: int, question: Question
) -> bool:
    """No live hypothesis would enter the k best, even if it went on to its limit with certainty."""
    if len(hypotheses) < question.config.beam:
        return False
    kept = sorted((h.score for h in hypotheses), reverse=True)[: question.config.beam]
    return kept[-1] >= best_live / question.config.divisor(limit)


def _first_that_do_not_end(ends: Tensor, k: int) -> Tensor:
    """(N, 2k) -> the places (N, k) of the best candidates that go on."""
    ranks = torch.arange(ends.shape[1], device=ends.device) + ends * ends.shape[1]
    return ranks.argsort(-1)[:, :k]


def _go_on(
    beams: Beams, candidates: Candidates, live: Tensor, state: State, rows: Tensor, going: Tensor
) -> Beams:
    """The candidates `going` of the sentences in these rows."""
    live, tokens = live[rows], candidates.tokens[rows]
    parents = candidates.parents[rows].gather(1, going)
    return Beams(
        beams.sentences[rows],
        tokens.gather(1, going[:, :, None].expand(-1, -1, tokens.shape[-1])),
        live.gather(1, going),
        state.select(parents, None if len(rows) == len(beams.sentences) else rows),
    )

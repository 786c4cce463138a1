"""One hypothesis a row, token after token: greedy, and sampling."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from heedful.decoding.config import DecodingConfig
from heedful.decoding.hypothesis import Hypothesis
from heedful.decoding.question import Question
from heedful.decoding.top import top
from heedful.models.seq2seq import AnySeq2Seq, Memory, State

Choose = Callable[[Tensor, int, Tensor], Tensor]
"""Log-probabilities (N, V), tokens written so far, which rows (N,) they are -> tokens (N,)."""


def greedy(model: AnySeq2Seq, memory: Memory, question: Question) -> list[list[Hypothesis]]:
    """The likeliest token at each step; one hypothesis a sentence."""
    sentences = torch.arange(len(memory.mask), device=memory.mask.device)
    found = _roll_out(model, model.start(memory), question, sentences, _likeliest)
    return [[hypothesis] for hypothesis in found]


def sample(
    model: AnySeq2Seq, memory: Memory, question: Question, *, n: int, keys: list[int]
) -> list[list[Hypothesis]]:
    """n draws a sentence, the best first. A sentence's draws hang on its key and the seed alone,
    never on what else is in the batch."""
    sentences = torch.arange(len(memory.mask), device=memory.mask.device).repeat_interleave(n)
    state = model.start(memory).select(torch.zeros_like(sentences)[:, None], sentences)
    choose = _drawer(question, [(key, i) for key in keys for i in range(n)])
    found = _roll_out(model, state, question, sentences, choose)
    groups = [found[i : i + n] for i in range(0, len(found), n)]
    return [sorted(group, key=lambda h: -h.score) for group in groups]


def _roll_out(
    model: AnySeq2Seq, state: State, question: Question, sentences: Tensor, choose: Choose
) -> list[Hypothesis]:
    """Row i translates sentence sentences[i]. Rows that have ended are taken out of the batch."""
    rows = torch.arange(len(sentences), device=sentences.device)
    tokens = torch.full_like(rows, question.marks.start)
    written: list[list[int]] = [[] for _ in rows]
    log_prob = torch.zeros(len(rows), device=rows.device)
    found: dict[int, Hypothesis] = {}
    step = 0
    while len(rows):
        hidden, state = model.step(tokens[:, None], state)
        log_probs = question.log_probs(model.output(hidden), step, sentences)[:, 0]  # (N, V)
        tokens = choose(log_probs, step, rows)
        log_prob = log_prob + log_probs.gather(1, tokens[:, None])[:, 0]
        step += 1
        for row, token in zip(rows.tolist(), tokens.tolist(), strict=True):
            written[row].append(token)
        ended = (tokens == question.marks.end) | (step >= question.limits[sentences])
        if ended.any():
            for i in ended.nonzero()[:, 0].tolist():
                row = int(rows[i])
                found[row] = question.finished(written[row], float(log_prob[i]))
            going = (~ended).nonzero()[:, 0]
            rows, sentences, tokens = rows[going], sentences[going], tokens[going]
            log_prob, state = log_prob[going], state.select(torch.zeros_like(going)[:, None], going)
    return [found[row] for row in range(len(found))]


def _likeliest(log_probs: Tensor, written: int, rows: Tensor) -> Tensor:
    return top(log_probs, 1)[1][:, 0]


def _drawer(question: Question, keys: list[tuple[int, int]]) -> Choose:
    """Draws by inverting the cumulative distribution at a uniform number of the row's own."""
    longest = int(question.limits.max())
    uniform = torch.from_numpy(
        np.stack([np.random.default_rng([question.config.seed, *k]).random(longest) for k in keys])
    )  # (R, longest)

    def choose(log_probs: Tensor, written: int, rows: Tensor) -> Tensor:
        # On the CPU and in double precision: not every device has it, and the draws shall agree.
        likely = narrowed(log_probs.cpu(), question.config)
        probabilities, order = likely.sort(-1, descending=True)
        cumulative = probabilities.double().cumsum(-1)
        at = uniform[rows.cpu(), written] * cumulative[:, -1]
        place = torch.searchsorted(cumulative, at[:, None], right=True)
        # Rounding must not lead past the last token that has any probability.
        place = torch.minimum(place, (probabilities > 0).sum(-1, keepdim=True) - 1)
        return order.gather(1, place)[:, 0].to(rows.device)

    return choose


def narrowed(log_probs: Tensor, config: DecodingConfig) -> Tensor:
    """(N, V) log-probabilities -> probabilities after temperature, top_k and top_p."""
    scaled = log_probs / config.temperature
    if config.top_k is not None and config.top_k < scaled.shape[-1]:
        least = scaled.topk(config.top_k).values[:, -1:]
        scaled = scaled.masked_fill(scaled < least, -torch.inf)
    probabilities = scaled.softmax(-1)
    if config.top_p is not None:
        ranked, order = probabilities.sort(-1, descending=True)
        # A token goes if those before it already have top_p; the first one always stays.
        enough = ranked.cumsum(-1) - ranked >= config.top_p
        beyond = torch.empty_like(enough).scatter_(-1, order, enough)
        probabilities = probabilities.masked_fill(beyond, 0)
    return probabilities

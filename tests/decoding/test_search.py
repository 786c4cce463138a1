"""Searches: against exhaustive search, against each other, alone and in batches."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import torch
from torch import Tensor

from heedful.decoding.config import DecodingConfig
from heedful.decoding.hypothesis import Hypothesis, Marks
from heedful.decoding.question import Question
from heedful.decoding.roll_out import narrowed
from heedful.decoding.search import search
from heedful.models.build import build
from heedful.models.config import TransformerConfig
from heedful.models.seq2seq import AnySeq2Seq

START, END = 2, 3
MARKS = Marks(start=START, end=END, never=(0, 1, START))


def make(vocabulary: int, seed: int = 1) -> AnySeq2Seq:
    torch.manual_seed(seed)
    config = TransformerConfig(n_layers=2, d_model=33, d_ff=23, n_heads=3, dropout=0.0, tie="none")
    model = build(config, source_vocabulary=17, target_vocabulary=vocabulary, max_length=31)
    with torch.no_grad():  # confident enough to differ from sentence to sentence
        model.output.table.mul_(3)
    return model.eval()


def sources(n: int) -> tuple[Tensor, Tensor]:
    torch.manual_seed(n)
    source = torch.randint(4, 17, (n, 9))
    lengths = torch.arange(n) % 8 + 2
    return source, torch.arange(9) < lengths[:, None]


def ask(limit: int | list[int], n: int, prefixes: Any = None, **settings: Any) -> Question:
    limits = torch.tensor([limit] * n if isinstance(limit, int) else limit)
    return Question.ask(DecodingConfig(**settings), MARKS, limits, prefixes)


def log_prob(
    model: AnySeq2Seq, source: Tensor, mask: Tensor, tokens: tuple[int, ...], given: int = 0
) -> float:
    """By teacher forcing, without a cache; among what may be written, behind what is given."""
    written = torch.tensor([[START, *tokens[:-1]]])
    with torch.inference_mode():
        logits = model.output(model.decode(written, model.encode(source, mask)))
        logits[:, :, list(MARKS.never)] = -torch.inf
    return float(logits.log_softmax(-1)[0].gather(1, torch.tensor([tokens]).T)[given:].sum())


def exhaustive(
    model: AnySeq2Seq, source: Tensor, mask: Tensor, words: range, limit: int, question: Question
) -> list[Hypothesis]:
    """Every sequence that ends, or that reaches the limit."""
    found = []
    for length in range(limit + 1):
        for body in itertools.product(words, repeat=length):
            tokens = body if length == limit else (*body, END)
            found.append(question.finished(tokens, log_prob(model, source, mask, tokens)))
    return sorted(found, key=lambda h: -h.score)


@pytest.mark.parametrize("normalise", ["length", "gnmt"])
@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0, 2.0])
def test_exact_beam_equals_exhaustive_search(normalise: str, alpha: float) -> None:
    model = make(7)
    source, mask = sources(3)
    width = 3**4  # as many as there are sequences of words: nothing can fall out
    question = ask(4, 3, beam=width, stop="exact", normalise=normalise, alpha=alpha)
    found = search(model, source, mask, question, nbest=5)
    for i, hypotheses in enumerate(found):
        best = exhaustive(model, source[i : i + 1], mask[i : i + 1], range(4, 7), 4, question)
        assert [h.tokens for h in hypotheses] == [h.tokens for h in best[:5]]
        for mine, theirs in zip(hypotheses, best, strict=False):
            assert mine.score == pytest.approx(theirs.score, abs=1e-4)


def test_exact_is_never_worse_than_first() -> None:
    model = make(23, seed=3)
    source, mask = sources(40)
    first = search(model, source, mask, ask(12, 40, beam=3, stop="first"))
    exact = search(model, source, mask, ask(12, 40, beam=3, stop="exact"))
    gains = [e[0].score - f[0].score for e, f in zip(exact, first, strict=True)]
    assert min(gains) > -1e-5
    assert max(gains) > 1e-3  # and sometimes better: the two are not the same search


def test_greedy_takes_the_likeliest_token_each_time() -> None:
    model = make(23)
    source, mask = sources(5)
    found = search(model, source, mask, ask(9, 5, beam=1))
    for i, (hypothesis,) in enumerate(found):
        tokens = [START]
        memory = model.encode(source[i : i + 1], mask[i : i + 1])
        for _ in range(9):
            logits = model.output(model.decode(torch.tensor([tokens]), memory))[0, -1]
            logits[list(MARKS.never)] = -torch.inf
            tokens.append(int(logits.argmax()))
            if tokens[-1] == END:
                break
        assert hypothesis.tokens == tuple(t for t in tokens[1:] if t != END)
        expected = log_prob(model, source[i : i + 1], mask[i : i + 1], tuple(tokens[1:]))
        assert hypothesis.log_prob == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    "settings",
    [{"beam": 1}, {"beam": 4}, {"beam": 4, "stop": "exact"}, {"sample": True}],
    ids=str,
)
def test_batched_equals_one_by_one(settings: dict[str, Any]) -> None:
    model = make(23)
    source, mask = sources(24)
    limits = [4 + i % 9 for i in range(24)]
    keys = [100 + i for i in range(24)]
    together = search(model, source, mask, ask(limits, 24, **settings), nbest=3, keys=keys)
    for i in range(24):
        n = int(mask[i].sum())
        alone = search(
            model,
            source[i : i + 1, :n],
            mask[i : i + 1, :n],
            ask(limits[i], 1, **settings),
            nbest=3,
            keys=keys[i : i + 1],
        )[0]
        assert [h.tokens for h in alone] == [h.tokens for h in together[i]]


def test_a_beam_of_one_is_greedy() -> None:
    """The beam's own code, at width 1, against the roll-out."""
    from heedful.decoding.beam import beam_search

    model = make(23)
    source, mask = sources(11)
    question = ask(9, 11, beam=1)
    with torch.inference_mode():
        beam = beam_search(model, model.encode(source, mask), question)
    assert [h[0].tokens for h in beam] == [
        h[0].tokens for h in search(model, source, mask, question)
    ]


def test_nbest_are_distinct_and_in_order() -> None:
    model = make(23)
    source, mask = sources(7)
    for hypotheses in search(model, source, mask, ask(9, 7, beam=5), nbest=5):
        scores = [h.score for h in hypotheses]
        assert len(hypotheses) == 5
        assert scores == sorted(scores, reverse=True)
        assert len({h.tokens for h in hypotheses}) == 5


@pytest.mark.parametrize("settings", [{"beam": 1}, {"beam": 4}, {"sample": True}], ids=str)
def test_marks_and_unknowns_are_never_written(settings: dict[str, Any]) -> None:
    model = make(11)
    with torch.no_grad():
        model.output.table[[0, 1, 2]] = model.output.table.mean(0) * 50
    source, mask = sources(13)
    for hypotheses in search(model, source, mask, ask(9, 13, **settings)):
        assert not set(hypotheses[0].tokens) & {0, 1, START, END}


@pytest.mark.parametrize("beam", [1, 3])
def test_lengths_stay_within_their_limits(beam: int) -> None:
    model = make(23)
    source, mask = sources(16)
    limits = [5 + i % 5 for i in range(16)]
    found = search(model, source, mask, ask(limits, 16, beam=beam, min_length=4))
    for (hypothesis, *_), limit in zip(found, limits, strict=True):
        assert 4 <= len(hypothesis.tokens) <= limit


@pytest.mark.parametrize("settings", [{"beam": 1}, {"beam": 3}, {"sample": True}], ids=str)
def test_a_forced_prefix_is_kept_and_costs_nothing(settings: dict[str, Any]) -> None:
    model = make(23)
    source, mask = sources(3)
    prefixes = [[7, 9, 5], [], [22]]
    found = search(model, source, mask, ask(8, 3, prefixes, **settings))
    free = search(model, source, mask, ask(8, 3, **settings))
    assert found[0][0].tokens[:3] == (7, 9, 5)
    assert found[2][0].tokens[0] == 22
    assert found[1][0].tokens == free[1][0].tokens
    tokens = found[0][0].tokens
    ended = tokens if len(tokens) == 8 else (*tokens, END)
    expected = log_prob(model, source[:1], mask[:1], ended, given=3)
    assert found[0][0].log_prob == pytest.approx(expected, abs=1e-4)


def test_sampling_repeats_by_seed_and_differs_by_key() -> None:
    model = make(23)
    source, mask = sources(4)

    def draw(seed: int, keys: list[int]) -> list[tuple[int, ...]]:
        question = ask(9, 4, sample=True, seed=seed)
        return [h[0].tokens for h in search(model, source, mask, question, keys=keys)]

    assert draw(1, [1, 2, 3, 4]) == draw(1, [1, 2, 3, 4])
    assert draw(1, [1, 2, 3, 4]) != draw(2, [1, 2, 3, 4])
    assert draw(1, [1, 2, 3, 4]) != draw(1, [5, 6, 7, 8])


def test_samples_follow_the_models_distribution() -> None:
    model = make(9, seed=4)
    source, mask = sources(1)
    n = 3000
    question = ask(1, 1, sample=True)
    found = search(model, source, mask, question, nbest=n, keys=[1])[0]
    with torch.inference_mode():
        logits = model.output(model.decode(torch.tensor([[START]]), model.encode(source, mask)))[
            0, 0
        ]
    logits = logits.clone()
    logits[list(MARKS.never)] = -torch.inf
    expected = logits.softmax(-1)
    for token in range(4, 9):
        share = sum(h.tokens == (token,) for h in found) / n
        assert share == pytest.approx(float(expected[token]), abs=0.03)


def test_top_k_top_p_and_temperature_by_hand() -> None:
    logits = torch.tensor([[0.5, 0.3, 0.15, 0.05]]).log()

    def left(**settings: Any) -> list[float]:
        kept = narrowed(logits, DecodingConfig(sample=True, **settings))
        return [round(float(p), 4) for p in kept[0]]

    assert left() == [0.5, 0.3, 0.15, 0.05]
    assert left(top_k=2) == [0.625, 0.375, 0, 0]
    assert left(top_p=0.7) == [0.5, 0.3, 0, 0]
    assert left(top_p=0.01) == [0.5, 0, 0, 0]
    squares = [0.25, 0.09, 0.0225, 0.0025]
    assert left(temperature=0.5) == [round(s / sum(squares), 4) for s in squares]


def test_divisors_are_the_papers() -> None:
    assert DecodingConfig().divisor(7) == 7
    assert DecodingConfig(alpha=0.5).divisor(9) == 3
    assert DecodingConfig(normalise="gnmt").divisor(7) == pytest.approx(2**0.6)
    assert DecodingConfig(alpha=0).divisor(7) == 1


@pytest.mark.parametrize("beam", [1, 3])
def test_no_work_for_what_has_ended(beam: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step is asked for the sentences that have not come to their limits, and no others."""
    model, (source, mask) = make(11), sources(4)
    asked: list[int] = []
    step = type(model).step

    def watched(self: Any, tokens: Tensor, state: Any) -> Any:
        asked.append(len(tokens))
        return step(self, tokens, state)

    monkeypatch.setattr(type(model), "step", watched)
    question = ask([2, 6, 4, 4], 4, beam=beam, min_length=9)  # none ends before its limit
    search(model, source, mask, question)
    assert asked == [4, 4, 3, 3, 1, 1]

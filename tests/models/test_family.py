"""What holds of every model, whichever it is."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from heedful.attention import Look
from heedful.decoding.config import DecodingConfig
from heedful.decoding.hypothesis import Marks
from heedful.decoding.question import Question
from heedful.decoding.search import search
from heedful.layers import Recurrent
from heedful.models.build import build
from heedful.models.config import KINDS, PRESETS
from heedful.models.seq2seq import AnySeq2Seq
from heedful.recipe import parse

SOURCE_WORDS, TARGET_WORDS, LONGEST = 29, 23, 17
MARKS = Marks(start=2, end=3, never=(0, 1, 2))

FAMILY: list[dict[str, Any]] = [
    {"kind": "rnn", "cell": "rnn"},
    {"kind": "rnn", "cell": "lstm", "n_layers": 3},
    {"kind": "rnn", "cell": "gru", "context": "every"},
    {"kind": "rnn", "cell": "lstm", "context": "every", "bidirectional": True},
    {"kind": "bahdanau"},
    {"kind": "bahdanau", "cell": "lstm", "n_layers": 2},
    {"kind": "bahdanau", "cell": "rnn", "bidirectional": False},
    *({"kind": "luong", "score": score} for score in ("dot", "scaled_dot", "cosine", "location")),
    {"kind": "luong", "score": "general", "bidirectional": True},
    {"kind": "luong", "score": "concat", "input_feeding": False},
    {"kind": "luong", "attention": "local_m", "window": 2, "cell": "gru"},
    {"kind": "luong", "attention": "local_p", "window": 3},
    {"kind": "luong", "attention": "local_p", "window": 3, "input_feeding": False},
    {"kind": "conv", "width": 3},
    {"kind": "conv", "width": 5, "n_layers": 3},
    *({"score": score} for score in ("scaled_dot", "dot", "cosine", "general", "additive")),
    {"attention": "restricted", "window": 1},
    {"attention": "restricted", "window": 4, "pre_norm": True},
    {"attention": "restricted", "window": 3, "positions": "learned"},
    *({"attention": "restricted", "window": 2, "score": score} for score in ("dot", "additive")),
]


def named(settings: dict[str, Any]) -> str:
    return " ".join(str(value) for value in settings.values())


def make(settings: dict[str, Any], **more: Any) -> AnySeq2Seq:
    """A small model, dropout off."""
    kind = settings.get("kind", "transformer")
    heads = {"n_heads": 2, "d_ff": 11} if kind == "transformer" else {}
    sizes = {"d_model": 6, "n_layers": 2} | heads
    torch.manual_seed(3)
    model = build(
        parse({"model": sizes | settings | more}).model,
        source_vocabulary=SOURCE_WORDS,
        target_vocabulary=TARGET_WORDS,
        max_length=LONGEST,
    )
    return model.eval()


@pytest.fixture(params=FAMILY, ids=named)
def model(request: pytest.FixtureRequest) -> AnySeq2Seq:
    return make(request.param)


def sentences(lengths: list[int], words: int, *, seed: int = 1) -> tuple[Tensor, Tensor]:
    """Ids (B, longest) and their mask."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(4, words, (len(lengths), max(lengths)), generator=generator)
    mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    return ids.masked_fill(~mask, 0), mask


@torch.no_grad()
def test_step_by_step_is_teacher_forcing(model: AnySeq2Seq) -> None:
    model = model.double()  # so that what differs is no rounding
    source, mask = sentences([7, 3, 5], SOURCE_WORDS)
    target, _ = sentences([13, 13, 13], TARGET_WORDS, seed=2)
    memory = model.encode(source, mask)
    at_once = model.decode(target, memory)
    state, hidden = model.start(memory), []
    for tokens in target.T:
        h, state = model.step(tokens[:, None], state)
        hidden.append(h)
    torch.testing.assert_close(torch.cat(hidden, dim=1), at_once, atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_hypotheses_change_places(model: AnySeq2Seq) -> None:
    """Those of a search are doubled, swapped and dropped with their sentences on the way."""
    source, mask = sentences([6, 4, 5], SOURCE_WORDS)
    target, _ = sentences([9, 9, 9, 9], TARGET_WORDS, seed=2)
    memory = model.encode(source, mask)
    state = model.start(memory)
    start = target[0, :1].expand(3, 1)
    _, state = model.step(start, state)
    state = state.select(torch.zeros(3, 2, dtype=torch.long))
    firsts = torch.stack((target[0, 1:4], target[1, 1:4]), dim=1)  # two for each sentence
    _, state = model.step(firsts, state)
    # Sentences 2 and 0 go on: of 2 its second hypothesis twice, of 0 both, changed round.
    state = state.select(torch.tensor([[1, 1], [1, 0]]), torch.tensor([2, 0]))
    more = torch.stack((target[2, 4:8], target[3, 4:8]))  # (2, 4)
    for tokens in more.T:
        hidden, state = model.step(tokens[:, None].expand(2, 2), state)
    written = {
        (0, 0): [firsts[2, 1], *more[0]],
        (0, 1): [firsts[2, 1], *more[0]],
        (1, 0): [firsts[0, 1], *more[1]],
        (1, 1): [firsts[0, 0], *more[1]],
    }
    for (row, place), tokens in written.items():
        sentence = [2, 0][row]
        alone = model.encode(source[sentence, None], mask[sentence, None])
        whole = torch.stack([start[0, 0], *tokens])[None]
        expected = model.decode(whole, alone)[0, -1]
        torch.testing.assert_close(hidden[row, place], expected, atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_padding_changes_nothing(model: AnySeq2Seq) -> None:
    source, mask = sentences([4, 9], SOURCE_WORDS)
    target, _ = sentences([7, 7], TARGET_WORDS, seed=2)
    together = model.decode(target, model.encode(source, mask))
    alone = model.decode(target[:1], model.encode(source[:1, :4], mask[:1, :4]))
    torch.testing.assert_close(together[:1], alone, atol=1e-5, rtol=1e-5)
    other = source.clone()
    other[0, 4:] = 5  # what stands there is never looked at
    again = model.decode(target, model.encode(other, mask))
    torch.testing.assert_close(again, together, atol=1e-6, rtol=1e-6)


@torch.no_grad()
def test_the_future_is_never_seen(model: AnySeq2Seq) -> None:
    source, mask = sentences([6], SOURCE_WORDS)
    target, _ = sentences([9], TARGET_WORDS, seed=2)
    memory = model.encode(source, mask)
    before = model.decode(target, memory)
    other = target.clone()
    other[0, 5:] = (target[0, 5:] + 1) % TARGET_WORDS
    after = model.decode(other, memory)
    torch.testing.assert_close(after[:, :5], before[:, :5], atol=1e-6, rtol=1e-6)
    assert not torch.allclose(after[:, 5:], before[:, 5:])


@pytest.mark.parametrize(
    ("settings", "steps"),
    [
        ({"kind": "rnn"}, 0),
        ({"kind": "rnn", "context": "every"}, 0),
        ({"kind": "luong", "input_feeding": False}, 0),
        ({"kind": "luong", "input_feeding": True}, 5),
        ({"kind": "bahdanau"}, 5),
    ],
    ids=str,
)
def test_whole_sequences_pass_at_once_where_they_can(
    settings: dict[str, Any], steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Step by step only where a step depends on the attention before it."""
    taken, step = list[Tensor](), Recurrent.step

    def counted(self: Recurrent, x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        taken.append(x)
        return step(self, x, state)

    monkeypatch.setattr(Recurrent, "step", counted)
    model = make(settings)
    source, mask = sentences([6, 4], SOURCE_WORDS)
    target, _ = sentences([5, 5], TARGET_WORDS, seed=2)
    model.decode(target, model.encode(source, mask))
    assert len(taken) == steps


def test_every_weight_learns(model: AnySeq2Seq) -> None:
    source, mask = sentences([6, 4], SOURCE_WORDS)
    target, _ = sentences([5, 5], TARGET_WORDS, seed=2)
    hidden = model.decode(target, model.encode(source, mask))
    model.output(hidden).pow(2).sum().backward()
    for name, weight in model.named_parameters():
        assert weight.grad is not None, name
        assert weight.grad.abs().sum() > 0, name


@torch.no_grad()
def test_what_is_recorded_does_not_change_what_is_computed(model: AnySeq2Seq) -> None:
    source, mask = sentences([6, 4], SOURCE_WORDS)
    target, _ = sentences([5, 5], TARGET_WORDS, seed=2)
    seen: list[tuple[str, int, Look]] = []
    memory = model.encode(source, mask, record=lambda *what: seen.append(what))
    recorded = model.decode(target, memory, record=lambda *what: seen.append(what))
    unseen = model.decode(target, model.encode(source, mask))
    torch.testing.assert_close(recorded, unseen, atol=1e-5, rtol=1e-5)
    for kind, _, look in seen:
        weights = look.weights
        n_queries, n_keys = {"encoder": (6, 6), "decoder": (5, 5), "cross": (5, 6)}[kind]
        assert weights.shape[0] == 2
        assert weights.shape[2:] == (n_queries, n_keys)
        if kind != "decoder":
            real = 4 if kind == "encoder" else 5
            assert (weights[1, :, :real, 4:] == 0).all(), "padding is looked at"


@pytest.mark.parametrize("beam", [1, 3])
def test_translations_do_not_depend_on_the_batch(model: AnySeq2Seq, beam: int) -> None:
    source, mask = sentences([7, 2, 5, 3], SOURCE_WORDS)

    def found(rows: slice, longest: int) -> list[list[tuple[tuple[int, ...], float]]]:
        limits = torch.tensor([12, 12, 9, 12])[rows]
        question = Question.ask(DecodingConfig(beam=beam), MARKS, limits)
        hypotheses = search(
            model, source[rows, :longest], mask[rows, :longest], question, nbest=beam
        )
        return [[(tuple(h.tokens), h.score) for h in of_one] for of_one in hypotheses]

    together = found(slice(None), 7)
    for row, length in enumerate([7, 2, 5, 3]):
        (alone,) = found(slice(row, row + 1), length)
        assert [tokens for tokens, _ in together[row]] == [tokens for tokens, _ in alone]
        for (_, one), (_, other) in zip(together[row], alone, strict=True):
            assert one == pytest.approx(other, abs=1e-4)


@pytest.mark.parametrize("top_k", [None, 3])
def test_draws_do_not_depend_on_the_batch(model: AnySeq2Seq, top_k: int | None) -> None:
    source, mask = sentences([7, 2, 5], SOURCE_WORDS)
    config = DecodingConfig(sample=True, temperature=0.7, top_k=top_k, seed=5)

    def drawn(rows: list[int], longest: int) -> list[list[tuple[int, ...]]]:
        question = Question.ask(config, MARKS, torch.tensor([9] * len(rows)))
        found = search(
            model, source[rows, :longest], mask[rows, :longest], question, nbest=3, keys=rows
        )
        return [sorted(h.tokens for h in of_one) for of_one in found]

    together = drawn([0, 1, 2], 7)
    for row, length in enumerate([7, 2, 5]):
        assert drawn([row], length) == [together[row]]
    assert len({tokens for of_one in together for tokens in of_one}) > 3


def test_all_kinds_are_here() -> None:
    assert {settings.get("kind", "transformer") for settings in FAMILY} == set(KINDS)


@pytest.mark.parametrize("size", ["tiny", "small"])
def test_sizes_of_a_name_have_about_as_many_weights(size: str) -> None:
    def weights(kind: str) -> int:
        settings = {"kind": kind, "tie": "three"} | PRESETS[kind][size]
        with torch.device("meta"):
            made = build(
                parse({"model": settings}).model,
                source_vocabulary=8000,
                target_vocabulary=8000,
                max_length=100,
            )
        return sum(p.numel() for p in made.parameters())

    for kind in KINDS:
        assert weights(kind) == pytest.approx(weights("transformer"), rel=0.05), kind

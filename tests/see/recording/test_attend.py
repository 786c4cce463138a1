"""What is recorded of a real model, beside the same numbers worked out by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heedful
from heedful.attention.scores import Additive
from heedful.errors import HeedfulError, InputError
from heedful.see.pictures.chosen import chosen_attention
from heedful.see.recording.arrays import pack
from heedful.see.recording.attention import Attention
from heedful.see.recording.record import Record
from heedful.see.recording.walk import softmax, walk
from heedful.translator import Translator

from ...trained import TINY_OF, Text

SENTENCE = "The cat sees the dog here."


@pytest.fixture(scope="module", params=list(TINY_OF))
def translator(
    request: pytest.FixtureRequest, prose_text: Text, tmp_path_factory: pytest.TempPathFactory
) -> Translator:
    out: Path = tmp_path_factory.mktemp("seen") / "run"
    heedful.train(
        out=out, **prose_text.options, steps=30, threads=1, quiet=True,
        set=(*TINY_OF[request.param], "training.batch_tokens=1024", "training.schedule=linear"),
    )  # fmt: skip
    return heedful.load(out, engine="torch", threads=1)


def every_head(record: Record) -> list[Any]:
    return [
        (a.kind, a.layer, head)
        for a in record.attentions
        if a.working is not None
        for head in range(1, a.n_heads + 1)
    ]


@pytest.fixture(scope="module")
def record(translator: Translator) -> Record:
    """With the vectors of all heads."""
    first = translator.attend(SENTENCE)
    return translator.attend(SENTENCE, first.target_ids, vectors=every_head(first))


def working_of(record: Record) -> list[Attention]:
    return [a for a in record.attentions if a.working is not None]


def test_weights_are_the_softmax_of_what_is_recorded(record: Record) -> None:
    for attention in working_of(record):
        assert attention.working is not None
        expected = softmax(attention.working.masked)
        np.testing.assert_allclose(attention.weights, expected, atol=1e-5)


def test_the_layer_of_the_alignment_is_there(record: Record, translator: Translator) -> None:
    layers = [attention.layer for attention in record.attentions if attention.kind == "cross"]
    if layers:
        assert record.alignment_layer in layers
    else:
        assert record.alignment_layer is None
        with pytest.raises(HeedfulError, match="no attention cross"):
            chosen_attention(record, "cross", None)


def test_rows_sum_to_one_and_what_is_masked_has_nothing(record: Record) -> None:
    for attention in record.attentions:
        np.testing.assert_allclose(attention.weights.sum(-1), 1, atol=1e-5)
        if attention.working is not None:
            assert (attention.weights[:, ~attention.working.mask] == 0).all()


def test_products_are_those_of_the_vectors(record: Record, translator: Translator) -> None:
    if isinstance(score := getattr(translator.model, "score", None), Additive):
        (attention,) = working_of(record)
        assert attention.working is not None
        of, products = attention.working.vectors[1], attention.working.products[0]
        w, v = score.w.weight.detach().numpy(), score.v.weight.detach().numpy()[0]
        by_hand = [[float(v @ np.tanh(w @ q + uk)) for uk in of.keys] for q in of.queries]
        np.testing.assert_allclose(products, by_hand, atol=1e-4)
        assert attention.working.score == "vᵀ tanh(W q + U k)"
        return
    for attention in working_of(record):
        assert attention.working is not None
        for head, of in attention.working.vectors.items():
            products = np.array([[float(q @ k) for k in of.keys] for q in of.queries])
            np.testing.assert_allclose(attention.working.products[head - 1], products, atol=1e-4)


def test_a_walk_ends_in_the_context(record: Record) -> None:
    for attention in working_of(record):
        found = walk(attention, 1, 0)
        expected = sum(w * v for w, v in zip(found.weights, found.vectors.values, strict=True))
        np.testing.assert_allclose(found.context, expected, atol=1e-5)
        undivided = np.where(np.isfinite(found.masked), found.products, -np.inf)
        np.testing.assert_allclose(found.undivided, softmax(undivided), atol=1e-6)


def test_a_causal_mask_is_recorded(record: Record) -> None:
    for attention in working_of(record):
        assert attention.working is not None
        everyone = np.ones_like(attention.working.mask)
        causal = attention.kind == "decoder"
        assert (attention.working.mask == (np.tril(everyone) if causal else everyone)).all()


def test_what_is_likeliest_in_each_place(record: Record) -> None:
    assert len(record.predictions) == len(record.target_pieces)
    for piece, candidates in zip(record.target_pieces, record.predictions, strict=True):
        chances = [c.probability for c in candidates]
        assert chances == sorted(chances, reverse=True)
        assert piece in [c.piece for c in candidates]
        assert sum(chances) <= 1 + 1e-5


def test_the_search_leads_to_the_translation(translator: Translator) -> None:
    record = translator.attend(SENTENCE, beam=3)
    chosen = [node for node in record.search if node.chosen]
    assert tuple(node.piece for node in chosen) == record.target_pieces
    for node in record.search:
        before = 0.0 if node.parent is None else record.search[node.parent].log_prob
        assert node.log_prob == pytest.approx(before + math.log(node.probability), abs=1e-4)
        if node.parent is not None:
            assert record.search[node.parent].step == node.step - 1
            assert record.search[node.parent].fate == "goes on"
    for step in range(1, max(node.step for node in record.search) + 1):
        going = [n for n in record.search if n.step == step and n.fate == "goes on"]
        assert len(going) <= 3


@pytest.mark.parametrize("beam", [1, 4])
def test_recording_changes_no_translation(translator: Translator, beam: int) -> None:
    expected = translator.translate(SENTENCE, beam=beam, split_sentences=False).text
    assert translator.attend(SENTENCE, beam=beam).target == expected


def test_a_translation_goes_on_from_a_prefix(translator: Translator) -> None:
    record = translator.attend(SENTENCE)
    other = next(
        c for c in record.predictions[0] if c.piece not in (record.target_pieces[0], "</s>")
    )
    forked = translator.attend(SENTENCE, prefix=[other.id])
    assert forked.target_pieces[0] == other.piece


def test_json_and_back(record: Record) -> None:
    again = Record.from_json(record.to_json())
    assert again == record
    for mine, theirs in zip(working_of(record), working_of(again), strict=True):
        assert mine.working is not None
        assert theirs.working is not None
        np.testing.assert_array_equal(mine.working.products, theirs.working.products)
        np.testing.assert_array_equal(mine.working.mask, theirs.working.mask)
        np.testing.assert_array_equal(mine.working.outcome, theirs.working.outcome)
        assert mine.working.divisor == theirs.working.divisor
        assert mine.working.made_by == theirs.working.made_by
        assert (mine.working.joined is None) == (theirs.working.joined is None)
        assert mine.working.vectors.keys() == theirs.working.vectors.keys()
        for head, of in mine.working.vectors.items():
            for part in ("queries", "keys", "values"):
                other = getattr(theirs.working.vectors[head], part)
                np.testing.assert_array_equal(getattr(of, part), other)


def test_words_as_json_and_back(record: Record) -> None:
    """They have no predictions, and a word of the decoder is not always one that it looks at."""
    assert Record.from_json(record.by_words().to_json()) == record.by_words()


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda text: text[:-20], "is damaged"),
        (lambda text: text.replace('"format":1', '"format":7'), "format 7"),
        (lambda text: text.replace('"kind":"', '"kind":"x'), "is damaged"),
        (lambda text: "[]", "is damaged"),
    ],
)
def test_a_damaged_record_is_told(record: Record, damage: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        Record.from_json(damage(record.to_json()))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("attentions",), []),
        (("attentions", 0, "working", "mask"), pack(np.ones((1, 1), dtype=bool))),
        (("attentions", 0, "working", "outcome"), pack(np.ones((1, 1), dtype=np.float32))),
        (("attentions", 0, "working", "divisor"), 0),
        (("predictions",), [[]]),
        (("predictions", 0, 0, "probability"), "much"),
        (("search",), [{"parent": 5, "step": 1, "piece": "a", "probability": 1, "log_prob": 0,
                        "fate": "ends", "chosen": True}]),
        (("search",), [{"parent": None, "step": 1, "piece": "a", "probability": 1, "log_prob": 0,
                        "fate": "lost", "chosen": True}]),
        (("languages",), []),
        (("languages",), ["en", 5]),
        (("alignment_layer",), "1"),
        (("source",), None),
        (("target",), 5),
        (("model",), ["transformer"]),
        (("target_ids", 0), None),
        (("source_pieces",), ["x"]),
        (("source_pieces", 0), 5),
        (("target_pieces", 0), "another"),
        (("attentions", 0, "keys", 0), "another"),
        (("attentions", -1, "queries", 0), "another"),
        (("predictions",), []),
    ],
)  # fmt: skip
def test_a_record_that_does_not_fit_together_is_told(
    prose: Translator, place: tuple[str | int, ...], value: Any
) -> None:
    data = json.loads(prose.attend(SENTENCE).to_json())
    inner = data
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    with pytest.raises(InputError, match="is damaged"):
        Record.from_json(json.dumps(data))


@pytest.mark.parametrize("attention", ["local_m", "local_p"])
def test_luongs_windows(prose_text: Text, attention: str, tmp_path: Path) -> None:
    heedful.train(
        out=tmp_path / "run", **prose_text.options, steps=10, threads=1, quiet=True,
        set=(*TINY_OF["luong"], f"model.attention={attention}", "model.window=2",
             "training.schedule=linear"),
    )  # fmt: skip
    (found,) = heedful.load(tmp_path / "run", threads=1).attend(SENTENCE).attentions
    assert found.working is not None
    assert not found.working.mask.all()
    factor = 1.0 if found.working.factor is None else found.working.factor
    assert (found.working.factor is None) == (attention == "local_m")
    expected = softmax(found.working.masked) * factor
    np.testing.assert_allclose(found.weights, expected, atol=1e-5)


def test_a_window_is_recorded(prose_text: Text, tmp_path: Path) -> None:
    heedful.train(
        out=tmp_path / "run", **prose_text.options, steps=10, threads=1, quiet=True,
        set=(*TINY_OF["transformer"], "model.attention=restricted", "model.window=2",
             "training.schedule=linear"),
    )  # fmt: skip
    record = heedful.load(tmp_path / "run", threads=1).attend(SENTENCE)
    for attention in record.attentions:
        assert attention.working is not None
        n_queries, n_keys = attention.working.mask.shape
        back = np.arange(n_queries)[:, None] - np.arange(n_keys)
        near = {
            "encoder": np.abs(back) <= 1,  # two neighbours: one on each side
            "decoder": (back >= 0) & (back <= 2),
            "cross": np.ones_like(back, dtype=bool),
        }[attention.kind]
        np.testing.assert_array_equal(attention.working.mask, near)
        expected = softmax(attention.working.masked)
        np.testing.assert_allclose(attention.weights, expected, atol=1e-5)


@pytest.mark.parametrize("beam", [1, 3])
def test_an_exact_search_is_told_to_its_end(translator: Translator, beam: int) -> None:
    options: dict[str, Any] = {"beam": beam, "stop": "exact"}
    record = translator.attend(SENTENCE, **options)
    plain = translator.translate(SENTENCE, split_sentences=False, **options)
    assert record.target == plain.text
    chosen = [node for node in record.search if node.chosen]
    assert tuple(node.piece for node in chosen) == record.target_pieces
    assert chosen[-1].fate == "ends"


def test_what_was_written_can_be_looked_at_again(translator: Translator) -> None:
    """Also where it came to no end."""
    endless: dict[str, Any] = {"max_length": 3, "beam": 2}
    for options in ({}, endless):
        record = translator.attend(SENTENCE, **options)
        again = translator.attend(SENTENCE, record.target_ids)
        assert again.attentions == record.attentions
        assert again.target == record.target
    assert again.target_pieces[-1] != "</s>"
    assert len(again.target_pieces) == 3


def test_a_target_is_searched_for_or_given(translator: Translator) -> None:
    with pytest.raises(InputError, match="leave the options out"):
        translator.attend(SENTENCE, [9], beam=2)
    with pytest.raises(InputError, match="got the id 1000000"):
        translator.attend(SENTENCE, [1_000_000])


def test_a_head_that_is_not_there(translator: Translator) -> None:
    with pytest.raises(InputError, match="there is no head 99"):
        translator.attend(SENTENCE, vectors=[("cross", 1, 99)])


@pytest.mark.parametrize("vectors", ["some", None, [1], [("cross", 1)], ("cross", 1, 2)])
def test_what_are_no_heads_is_told(prose: Translator, vectors: Any) -> None:
    with pytest.raises(InputError, match='wanted "all" or heads'):
        prose.attend(SENTENCE, vectors=vectors)


@pytest.mark.parametrize("source", ["", "   ", "cat " * 500])
def test_a_sentence_that_cannot_be_seen(translator: Translator, source: str) -> None:
    with pytest.raises(InputError, match=r"the source has \d+ tokens; 1 to \d+ are wanted"):
        translator.attend(source)

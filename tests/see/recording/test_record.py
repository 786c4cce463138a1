from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.errors import HeedfulError
from heedful.see.recording.attention import Attention, Vectors, Working
from heedful.see.recording.record import Record

from ..samples import ENGLISH, FRENCH, attention


@pytest.fixture
def record() -> Record:
    attentions = (
        attention(ENGLISH, ENGLISH, kind="encoder", layer=1),
        attention(FRENCH, FRENCH, kind="decoder", layer=1, seed=11),
        attention(FRENCH, ENGLISH, kind="cross", layer=1, seed=13),
        attention(FRENCH, ENGLISH, kind="cross", layer=2, seed=17),
    )
    return Record("The animal didn't move", "L'animal n'a pas bougé", ENGLISH, FRENCH, attentions)


def test_by_words_by_hand() -> None:
    # "did|n't go" looks at "to|day </s>"
    weights = np.array([[[0.1, 0.2, 0.7], [0.3, 0.4, 0.3], [0.0, 0.5, 0.5]]], dtype=np.float32)
    pieces = Attention("cross", 1, weights, ("▁did", "n't", "▁go"), ("▁to", "day", "</s>"))
    words = pieces.by_words()
    assert words.queries == ("didn't", "go")
    assert words.keys == ("today", "</s>")
    # mean of the rows (0.3, 0.7) and (0.7, 0.3); the last row only sums its columns
    np.testing.assert_allclose(words.weights, [[[0.5, 0.5], [0.5, 0.5]]], rtol=1e-6)
    assert (words.kind, words.layer) == ("cross", 1)


labels = st.lists(st.sampled_from(["▁a", "b", "▁", "</s>", "<0xC3>"]), min_size=1, max_size=11)


@given(labels, labels, st.integers(1, 3), st.integers(0, 99))
def test_rows_still_sum_to_one(queries: list[str], keys: list[str], heads: int, seed: int) -> None:
    words = attention(queries, keys, heads=heads, seed=seed).by_words()
    np.testing.assert_allclose(words.weights.sum(axis=2), 1, rtol=1e-5)
    assert words.weights.dtype == np.float32


def test_by_words_of_a_record(record: Record) -> None:
    words = record.by_words()
    assert words.source_pieces == ("The", "animal", "didn't", "move", "</s>")
    assert words.target_pieces == ("L'animal", "n'a", "pas", "bougé", "</s>")
    assert words.get("cross", 2).queries == words.target_pieces
    assert words.get("cross", 2).keys == words.source_pieces
    assert words.by_words() == words


def test_nothing_to_look_at() -> None:
    empty = Attention("cross", 1, np.zeros((2, 0, 0), np.float32), (), ())
    assert empty.by_words() == empty


def test_a_record_shows_sizes_and_no_numbers(record: Record) -> None:
    told = replace(record, model="transformer: 2+2 layers", languages=("en", "fr"))
    assert repr(told).split("\n  ") == [
        """Record("The animal didn't move" → "L'animal n'a pas bougé" (en → fr)""",
        "transformer: 2+2 layers",
        f"{len(ENGLISH)} source and {len(FRENCH)} target pieces",
        f"layers × heads: encoder 1 × {record.attentions[0].n_heads}, decoder 1 × "
        f"{record.attentions[1].n_heads}, cross 2 × {record.attentions[2].n_heads})",
    ]


def test_the_attention_of_a_long_sentence_shows_sizes_and_no_numbers() -> None:
    words = [f"▁{n}" for n in range(60)]
    queries, keys = np.ones((60, 3), np.float32), np.ones((60, 3), np.float32)
    vectors = Vectors(queries, keys, np.ones((60, 5), np.float32))
    found = attention(words, words, heads=2)
    working = Working(
        "q · k", found.weights, 2.0, np.ones((60, 60), bool), queries, "W_O", None, None,
        {1: vectors, 2: vectors},
    )  # fmt: skip
    assert repr(replace(found, working=working)) == (
        "Attention(cross 2: heads 2, queries 60, keys 60)"
    )
    assert repr(working) == (
        "Working(softmax(q · k / 2), products (2, 60, 60), vectors of heads: 1, 2)"
    )
    assert repr(vectors) == "Vectors(queries (60, 3), keys (60, 3), values (60, 5))"


def test_get(record: Record) -> None:
    assert record.get("cross", 2).name == "cross 2"
    assert record.get("cross", 2) is record.attentions[3]
    with pytest.raises(HeedfulError, match=r"no attention decoder 2 .* encoder 1, decoder 1"):
        record.get("decoder", 2)


def test_weights_are_a_copy_that_stays_as_it_was() -> None:
    mine = np.full((1, 1, 2), 0.5, dtype=np.float32)
    made = Attention("cross", 1, mine, ("a",), ("b", "c"))
    mine[:] = 0
    assert made.weights.tolist() == [[[0.5, 0.5]]]
    with pytest.raises(ValueError, match="read-only"):
        made.weights[0, 0, 0] = 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"queries": ("a",)}, r"cross 1: got weights of shape \(2, 3, 5\) for 1 queries and 5"),
        ({"keys": ("a",) * 3}, "3 queries and 3 keys"),
        ({"weights": np.zeros((3, 5))}, r"shape \(3, 5\), wanted \(heads"),
        ({"weights": np.zeros((0, 3, 5))}, r"shape \(0, 3, 5\)"),
        ({"weights": np.full((2, 3, 5), np.nan)}, "not finite"),
        ({"weights": np.full((2, 3, 5), -3.0)}, "from -3.0 to 0.0, wanted 0 to 1"),
        ({"weights": np.full((2, 3, 5), 7.0)}, "to 7.0, wanted 0 to 1"),
        ({"queries": (5, "a", "a")}, "got 5 for a word"),
        ({"layer": 0}, "got layer 0"),
        ({"kind": "sideways"}, "'sideways'"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, Any], message: str) -> None:
    fields: dict[str, Any] = {
        "kind": "cross",
        "layer": 1,
        "weights": np.zeros((2, 3, 5)),
        "queries": ("a",) * 3,
        "keys": ("b",) * 5,
    }
    with pytest.raises(ValueError, match=message):
        Attention(**(fields | change))


@pytest.mark.parametrize(("layer", "name"), [(1, "cross 1"), (2, "cross 2"), (None, "cross 2")])
def test_the_alignment_is_of_the_layer_that_is_known_for_it(
    record: Record, layer: int | None, name: str
) -> None:
    told = replace(record, alignment_layer=layer)
    assert told.alignment.name == told.by_words().alignment.name == name
    assert Record.from_json(told.to_json()).alignment_layer == layer


def test_a_saliency_is_of_no_layer(record: Record) -> None:
    found = attention(FRENCH, ENGLISH, kind="saliency", layer=1)
    assert replace(record, attentions=(found,), alignment_layer=2).alignment == found


def test_an_older_record_names_no_layer(record: Record) -> None:
    data = json.loads(record.to_json())
    del data["alignment_layer"]
    assert Record.from_json(json.dumps(data)).alignment.name == "cross 2"

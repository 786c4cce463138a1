from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.batches import PairStore, StoreWriter
from heedful.text.bulk.packed import Packed, id_type, pack


def packed(sentences: list[list[int]], vocabulary: int = 70_000) -> Packed:
    return pack(sentences, id_type(vocabulary))


IDS = st.lists(st.integers(0, 69_999), max_size=9)


@given(st.lists(st.lists(st.tuples(IDS, IDS), max_size=5), max_size=4))
@settings(deadline=None, max_examples=40)
def test_what_goes_in_comes_out(
    tmp_path_factory: pytest.TempPathFactory, blocks: list[list[tuple[list[int], list[int]]]]
) -> None:
    folder = tmp_path_factory.mktemp("store")
    with StoreWriter(folder, "train") as writer:
        for block in blocks:
            writer.extend(packed([s for s, _ in block]), packed([t for _, t in block]))
    store = PairStore(folder, "train", (70_000, 70_000))
    pairs = [pair for block in blocks for pair in block]
    assert len(store) == len(pairs)
    sources, targets = store.pairs(range(len(pairs)))
    found = [(s.tolist(), t.tolist()) for s, t in zip(sources, targets, strict=True)]
    assert found == [(list(s), list(t)) for s, t in pairs]


def test_small_vocabularies_take_two_bytes_an_id(tmp_path: Path) -> None:
    with StoreWriter(tmp_path, "train") as writer:
        writer.extend(packed([[1, 2, 65_535]], 65_536), packed([[1, 2, 65_536]], 65_537))
    assert (tmp_path / "train.source.ids").stat().st_size == 6
    assert (tmp_path / "train.target.ids").stat().st_size == 12


def test_pages_can_be_let_go_and_read_again(tmp_path: Path) -> None:
    with StoreWriter(tmp_path, "train") as writer:
        writer.extend(packed([[5, 6]], 100), packed([[7]], 100))
    store = PairStore(tmp_path, "train", (100, 100))
    store.let_go()
    assert store.source[0].tolist() == [5, 6]


def test_a_truncated_store_is_noticed(tmp_path: Path) -> None:
    with StoreWriter(tmp_path, "train") as writer:
        writer.extend(packed([[5, 6]], 100), packed([[7]], 100))
    with (tmp_path / "train.source.ids").open("r+b") as file:
        file.truncate(2)
    with pytest.raises(ValueError, match="1 ids"):
        PairStore(tmp_path, "train", (100, 100))

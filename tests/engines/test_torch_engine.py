"""Which sentences are searched together, and by how many threads: none of it changes an answer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from heedful.decoding.hypothesis import Hypothesis
from heedful.decoding.search import search
from heedful.engines import torch_engine
from heedful.engines.sharing import evenly
from heedful.engines.torch_engine import batches
from heedful.translator import load

from ..trained import sentences

LENGTHS = st.lists(st.integers(1, 60), max_size=80)


@given(lengths=LENGTHS, tokens=st.integers(1, 400))
def test_batches_hold_each_row_once_and_no_more_than_fits(lengths: list[int], tokens: int) -> None:
    planned = batches(lengths, tokens)
    assert sorted(row for rows in planned for row in rows) == list(range(len(lengths)))
    for rows in planned:
        padded = len(rows) * (max(lengths[row] for row in rows) + 1)
        assert padded <= tokens or len(rows) == 1


@given(lengths=LENGTHS, most=st.integers(1, 400), workers=st.integers(1, 5))
def test_a_batch_is_never_larger_than_asked_for(
    lengths: list[int], most: int, workers: int
) -> None:
    assert evenly(lengths, most, workers) <= most


@pytest.mark.parametrize(("n", "n_batches"), [(100, 2), (200, 2), (250, 4), (400, 4), (401, 6)])
def test_every_worker_gets_as_many_batches(n: int, n_batches: int) -> None:
    lengths = [9] * n  # ten tokens with the end mark: a hundred rows fit
    assert len(batches(lengths, evenly(lengths, 1000, workers=2))) == n_batches


@pytest.fixture
def two_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("two_threads")
@pytest.mark.parametrize("beam", [1, 3])
def test_two_threads_find_what_one_finds(
    prose_run: Path, beam: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [source for source, _ in sentences()[:40]]
    alone = load(prose_run, engine="torch", threads=1).translate(lines, beam=beam)
    names = set[str]()

    def seen(*given: Any, **more: Any) -> list[list[Hypothesis]]:
        names.add(threading.current_thread().name)
        assert torch.get_num_threads() == 1
        return search(*given, **more)

    monkeypatch.setattr(torch_engine, "search", seen)
    together = load(prose_run, engine="torch", threads=2).translate(
        lines, beam=beam, batch_tokens=60
    )
    assert [t.text for t in together] == [t.text for t in alone]
    assert [t.score for t in together] == pytest.approx([t.score for t in alone], abs=1e-5)
    assert len(names) == 2

"""What is told while a search goes on never has to be taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

import heedful
from heedful.decoding.settled import Settled
from heedful.engines.torch_engine import TorchEngine
from heedful.text.special import EOS
from heedful.translator import Translator

from ..trained import sentences


@pytest.fixture(scope="module")
def torch_prose(prose_run: Path) -> Translator:
    return heedful.load(prose_run, engine="torch", threads=1)


@pytest.mark.parametrize("beam", [1, 2, 5])
def test_it_is_the_beginning_of_the_best(torch_prose: Translator, beam: int) -> None:
    engine = torch_prose.engine
    assert isinstance(engine, TorchEngine)
    early = 0
    for source, _ in sentences()[:12]:
        told: list[list[int]] = []
        task = torch_prose.planner.plan([source], beam=beam).task
        best = engine.search_watched(task, Settled(EOS, told.append))[0]
        ids = [token for step in told for token in step]
        assert ids == list(best.tokens[: len(ids)])
        early += sum(bool(step) for step in told[:-1])
    assert early > 12  # it does not wait for the end

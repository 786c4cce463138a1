"""One server for all tests that only ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import heedful
from heedful.planning import Planner
from heedful.translator import Translator

from ..trained import Text
from .noted import Noted
from .served import Running, running


@pytest.fixture(scope="session")
def server(prose_run: Path) -> Iterator[Running]:
    """English to Esperanto, with room for as many requests as there are tests."""
    with running(prose_run, "--rate", 0) as found:
        yield found


@pytest.fixture(scope="session")
def luong_run(tmp_path_factory: pytest.TempPathFactory, prose_text: Text) -> Path:
    """A run that only torch knows. Nobody may change it."""
    return _hardly_trained("luong", tmp_path_factory.mktemp("runs"), prose_text)


@pytest.fixture(scope="session")
def rnn_run(tmp_path_factory: pytest.TempPathFactory, prose_text: Text) -> Path:
    """A run that looks at nothing. Nobody may change it."""
    return _hardly_trained("rnn", tmp_path_factory.mktemp("runs"), prose_text)


def _hardly_trained(model: str, folder: Path, text: Text) -> Path:
    out = folder / model
    heedful.train(
        out=out, **text.options, model=model, source_lang="en", target_lang="eo", steps=5,
        threads=1, set=("model.n_layers=1", "model.d_model=16"), quiet=True,
    )  # fmt: skip
    return out


@pytest.fixture
def noted(prose: Translator) -> Noted:
    """One that has been asked nothing yet."""
    planner = Planner(prose.card, prose.source_tokenizer, prose.target_tokenizer)
    return Noted(prose, planner)

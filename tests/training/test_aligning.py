"""Which layer tells which words belong together: found without being told the words."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

import heedful
from heedful.batches import Batch
from heedful.batches.prepared import Prepared, open_prepared
from heedful.engines.aligning import looks_by_layer
from heedful.model_folder.card import read_card
from heedful.training import aligning, session
from heedful.training.aligning import measured_layer

from ..trained import TINY, sentences, write_pairs

LAYERS = (*TINY, "model.n_layers=3", "training.peak_rate=0.01")


def train(out: Path, *, steps: int) -> None:
    """Three layers, on part of the little language, and the rest of it to validate on."""
    text = write_pairs(out.parent / "train", sentences()[150:]).options
    held_out = write_pairs(out.parent / "valid", sentences()[:150])
    heedful.train(
        out=out, **text, valid_source=held_out.source, valid_target=held_out.target,
        steps=steps, threads=1, quiet=True, set=LAYERS,
    )  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("aligning") / "run"
    train(out, steps=4)
    return out


@pytest.fixture(scope="module")
def data(run: Path) -> Prepared:
    return open_prepared(run / "data")


def looking(best: int, batch: Batch) -> list[torch.Tensor]:
    """Three layers: the best one looks from each word at that of the same number, the others one
    word further. In this language that is what belongs together."""
    n, t = batch.target_in.shape
    s = batch.source.shape[1]
    same = torch.eye(t, s).expand(n, t, s)
    return [same if layer == best else same.roll(1, dims=2) for layer in range(3)]


@pytest.mark.parametrize("best", [0, 1, 2])
def test_the_layer_that_looks_at_partners_is_found(
    run: Path, data: Prepared, monkeypatch: pytest.MonkeyPatch, best: int
) -> None:
    monkeypatch.setattr(aligning, "tokens_of_words", lambda _, ids: [[n] for n in range(len(ids))])
    monkeypatch.setattr(aligning, "looks_by_layer", lambda _, batch: looking(best, batch))
    assert measured_layer(heedful.load(run, engine="torch").model, data) == best


def test_nothing_is_measured_where_there_is_no_choice_or_too_little_to_choose_by(
    run: Path, data: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = heedful.load(run, engine="torch").model
    assert measured_layer(model, data) is not None
    with monkeypatch.context() as patched:
        patched.setattr(aligning, "looks_by_layer", lambda *given: looks_by_layer(*given)[:1])
        assert measured_layer(model, data) is None
    monkeypatch.setattr(aligning, "MOST_PAIRS", 5)
    assert measured_layer(model, data) is None


def test_a_training_keeps_it_in_the_card(run: Path, data: Prepared) -> None:
    model = heedful.load(run, engine="torch").model
    assert read_card(run).alignment_layer == measured_layer(model, data)


def test_a_training_that_goes_on_measures_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "run"
    monkeypatch.setattr(session, "measured_layer", lambda *_: 2)
    train(out, steps=2)
    assert read_card(out).alignment_layer == 2
    monkeypatch.setattr(session, "measured_layer", lambda *_: 0)
    heedful.train(out=out, resume=True, steps=4, threads=1, quiet=True)
    assert read_card(out).alignment_layer == 0

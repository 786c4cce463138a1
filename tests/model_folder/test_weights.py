"""`model.safetensors`: replaced whole or not at all, read by torch and without it."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from heedful.errors import ModelFolderError
from heedful.model_folder.card import Card, read_card, save_card
from heedful.model_folder.weights import (
    WEIGHTS,
    load_model,
    read_arrays,
    read_weights,
    save_model,
    save_weights,
)
from heedful.models import weights as on_disk

CPU = torch.device("cpu")


@pytest.fixture
def folder(prose_run: Path, tmp_path: Path) -> Path:
    made = tmp_path / "model"
    made.mkdir()
    for name in ("config.json", WEIGHTS):
        shutil.copy(prose_run / name, made)
    return made


def test_torch_and_numpy_read_the_same(folder: Path) -> None:
    card = read_card(folder)
    model = load_model(folder, card, CPU)
    assert not model.training  # ready to translate
    arrays, _ = read_arrays(folder, card)
    parameters = dict(model.named_parameters())
    assert arrays.keys() == parameters.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, parameters[name].detach().numpy())


def test_what_is_saved_comes_back(folder: Path) -> None:
    doubled = {name: 2 * tensor for name, tensor in read_weights(folder, load_file).items()}
    save_weights(folder, doubled)
    torch.testing.assert_close(read_weights(folder, load_file), doubled, rtol=0, atol=0)
    assert {path.name for path in folder.iterdir()} == {"config.json", WEIGHTS}


def read_both(folder: Path, card: Card) -> None:
    """By torch and without it."""
    load_model(folder, card, CPU)
    read_arrays(folder, card)


def test_weights_of_another_digest_are_told(folder: Path) -> None:
    card, path = read_card(folder), folder / WEIGHTS
    content = path.read_bytes()
    path.write_bytes(content[:-4] + b"\1\2\3\4")
    for read in (lambda: load_model(folder, card, CPU), lambda: read_arrays(folder, card)):
        with pytest.raises(ModelFolderError, match="is damaged, or of another model"):
            read()
    save_card(folder, card.model_copy(update={"weights_digest": None}))  # as older ones
    read_both(folder, read_card(folder))


def test_a_model_saved_while_another_reads_is_not_called_damaged(folder: Path) -> None:
    before = read_card(folder)
    doubled = {name: 2 * tensor for name, tensor in read_weights(folder, load_file).items()}
    after = save_model(folder, before, doubled)
    assert after.weights_digest not in (None, before.weights_digest)
    assert read_card(folder) == after
    read_both(folder, before)
    read_both(folder, after)


def test_a_crash_between_weights_and_card_leaves_a_model(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = read_card(folder)
    doubled = {name: 2 * tensor for name, tensor in read_weights(folder, load_file).items()}
    saved: list[Card] = []

    def save_once(place: Path, card: Card) -> None:
        if saved:
            raise KeyboardInterrupt
        saved.append(card)
        save_card(place, card)

    monkeypatch.setattr("heedful.model_folder.weights.save_card", save_once)
    with pytest.raises(KeyboardInterrupt):
        save_model(folder, card, doubled)
    torch.testing.assert_close(read_weights(folder, load_file), doubled, rtol=0, atol=0)
    read_both(folder, read_card(folder))


def test_a_write_that_fails_half_way_leaves_the_old(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (folder / WEIGHTS).read_bytes()

    def half(tensors: dict[str, torch.Tensor], path: Path) -> None:
        path.write_bytes(before[: len(before) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(on_disk, "save_file", half)
    with pytest.raises(ModelFolderError, match="No space left"):
        save_weights(folder, {"a": torch.ones(3)})
    assert (folder / WEIGHTS).read_bytes() == before
    assert {path.name for path in folder.iterdir()} == {"config.json", WEIGHTS}


def test_missing_damaged_and_foreign_weights_are_told(folder: Path) -> None:
    card, path = read_card(folder), folder / WEIGHTS
    path.write_bytes(path.read_bytes()[:-5])
    for read in (lambda: load_model(folder, card, CPU), lambda: read_arrays(folder, card)):
        with pytest.raises(ModelFolderError, match="is damaged or cut short"):
            read()
    save_weights(folder, {"a": torch.ones(3)})
    for read in (lambda: load_model(folder, card, CPU), lambda: read_arrays(folder, card)):
        with pytest.raises(ModelFolderError, match="does not fit its settings"):
            read()
    path.unlink()
    with pytest.raises(ModelFolderError, match=f"{WEIGHTS} is missing"):
        read_arrays(folder, card)

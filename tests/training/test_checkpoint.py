"""Checkpoints: there whole or not at all, and everything comes back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch
from torch import Tensor

from heedful.batches import make_batch
from heedful.errors import ModelFolderError, TrainingError
from heedful.files import write_atomically
from heedful.models.build import build
from heedful.models.config import TransformerConfig
from heedful.models.seq2seq import AnySeq2Seq
from heedful.models.weights import save_tensors
from heedful.training import checkpoint
from heedful.training.checkpoint import Progress, last_progress, prune, regular, restore, saved
from heedful.training.config import TrainingConfig
from heedful.training.optimiser import make_optimiser
from heedful.training.team import batch_loss

from ..trained import contents

BATCH = make_batch([[5, 6, 7], [8]], [[6, 5], [7, 8, 9, 10, 11]])
PROGRESS = Progress(
    step=17, epoch=2, batch=3, tokens=1009, seconds=12.5, began=0.25, best=-3.5, since_best=1
)


class Trainee:
    """A model and its optimiser."""

    def __init__(self, kind: str = "adam", seed: int = 1) -> None:
        torch.manual_seed(seed)
        config = TransformerConfig(n_layers=2, d_model=33, d_ff=23, n_heads=3, dropout=0.1)
        self.model: AnySeq2Seq = build(
            config, source_vocabulary=17, target_vocabulary=19, max_length=11
        )
        settings = TrainingConfig.model_validate({"optimiser": kind})
        self.optimiser = make_optimiser(self.model, settings)

    def steps(self, n: int) -> dict[str, Tensor]:
        """Some steps, with dropout, that is with random numbers -> the weights."""
        for _ in range(n):
            torch.autograd.backward(batch_loss(self.model, BATCH, smoothing=0.1)[0])
            for group in self.optimiser.param_groups:
                group["lr"] = 0.01
            self.optimiser.step()
            self.optimiser.zero_grad()
        return {name: p.detach().clone() for name, p in self.model.named_parameters()}

    def save(self, folder: Path, step: int = 17) -> Path:
        progress = Progress(**vars(PROGRESS) | {"step": step})
        checkpoint.save(folder, self.model, self.optimiser, progress)
        return folder / f"step-{step:08d}"


@pytest.mark.parametrize("kind", ["adam", "muon"])
def test_training_goes_on_as_if_it_had_never_stopped(tmp_path: Path, kind: str) -> None:
    one = Trainee(kind)
    one.steps(2)
    path = one.save(tmp_path)
    expected = one.steps(3)
    other = Trainee(kind, seed=7)
    assert restore(path, other.model, other.optimiser) == PROGRESS
    torch.testing.assert_close(other.steps(3), expected, rtol=0, atol=0)


def test_how_far_a_run_has_come(tmp_path: Path) -> None:
    assert last_progress(tmp_path / "none") == Progress()
    one = Trainee()
    one.steps(1)
    for step in (9, 101, 20):
        one.save(tmp_path, step)
    assert [path.name[-3:] for path in saved(tmp_path)] == ["009", "020", "101"]
    assert last_progress(tmp_path).step == 101


def test_the_same_step_again_takes_the_place_of_the_first(tmp_path: Path) -> None:
    one = Trainee()
    one.steps(1)
    one.save(tmp_path)
    expected = one.steps(1)
    path = one.save(tmp_path)
    assert list(tmp_path.iterdir()) == [path]
    other = Trainee(seed=7)
    restore(path, other.model, other.optimiser)
    torch.testing.assert_close(other.steps(0), expected, rtol=0, atol=0)


@pytest.mark.parametrize("name", ["weights.safetensors", "optimiser.safetensors", "state.json"])
def test_half_a_checkpoint_is_never_taken_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Killed in the middle of any of its files: what lies there then is no checkpoint, and the
    next one clears it away."""
    one = Trainee()
    one.steps(1)
    first = one.save(tmp_path, 5)
    before = contents(first)

    class Killed(BaseException):
        """After which nothing is tidied up."""

    def stop_at(path: Path) -> None:
        if path.name == name:
            path.write_bytes(b"half")
            raise Killed

    def tensors(content: dict[str, Tensor], path: Path) -> None:
        stop_at(path)
        save_tensors(content, path)

    def text(path: Path, content: str) -> None:
        stop_at(path)
        write_atomically(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "save_tensors", tensors)
        patch.setattr(checkpoint, "write_atomically", text)
        patch.setattr(shutil, "rmtree", lambda *_, **__: None)
        with pytest.raises(Killed):
            one.save(tmp_path, 10)
    left = [path for path in tmp_path.iterdir() if path != first]
    assert [(path / name).read_bytes() for path in left] == [b"half"]
    assert saved(tmp_path) == regular(tmp_path, 5) == [first]
    assert last_progress(tmp_path).step == 5
    assert contents(first) == before
    second = one.save(tmp_path, 10)
    assert sorted(tmp_path.iterdir()) == [first, second]


def test_one_that_cannot_be_written_leaves_those_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Trainee()
    one.steps(1)
    first = one.save(tmp_path, 5)
    before = contents(tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "save_progress", full)
        with pytest.raises(TrainingError, match="step-00000005 could not be written"):
            one.save(tmp_path, 5)  # in the place of one that is there
    assert contents(tmp_path) == before
    assert saved(tmp_path) == [first]


@pytest.mark.parametrize("name", ["weights.safetensors", "optimiser.safetensors", "state.json"])
@pytest.mark.parametrize("gone", [True, False])
def test_a_damaged_one_is_told(tmp_path: Path, name: str, gone: bool) -> None:
    one = Trainee()
    one.steps(1)
    path = one.save(tmp_path)
    file = path / name
    file.unlink() if gone else file.write_bytes(file.read_bytes()[:-7])
    with pytest.raises(ModelFolderError, match=f"{path} is damaged"):
        restore(path, one.model, one.optimiser)


def test_those_of_the_rhythm_are_kept_and_the_newest(tmp_path: Path) -> None:
    for step in (3, 6, 7, 9, 11):
        (tmp_path / f"step-{step:08d}").mkdir()

    def steps(paths: list[Path]) -> list[int]:
        return [int(path.name[5:]) for path in paths]

    assert steps(regular(tmp_path, 3)) == [3, 6, 9, 11]
    prune(tmp_path, keep=3, every=3)
    assert steps(saved(tmp_path)) == [6, 9, 11]
    assert len(list(tmp_path.iterdir())) == 3

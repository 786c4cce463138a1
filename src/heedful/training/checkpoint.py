"""Checkpoints: everything that training needs to go on as if it had never stopped.

Each is a folder `step-N` of three files, written elsewhere and then renamed into place: it is
there whole, or not at all. Nothing in it is pickled.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from heedful.errors import ModelFolderError, TrainingError
from heedful.files import sync, write_atomically
from heedful.models.weights import load_weights, save_tensors, weights

WEIGHTS, OPTIMISER, STATE = "weights.safetensors", "optimiser.safetensors", "state.json"
OPTIMISER_STATE = ("step", "exp_avg", "exp_avg_sq", "momentum")  # Adam's, and Muon's


@dataclass
class Progress:
    """How far a run has come; the loop moves it on."""

    step: int = 0
    epoch: int = 0
    batch: int = 0  # the next one of this epoch
    tokens: int = 0  # real target tokens seen
    seconds: float = 0.0  # wall-clock time spent, in all sessions
    began: float | None = None  # of these, when the first step was taken
    best: float | None = None  # of the validations, higher is better
    since_best: int = 0  # validations
    validated: int = 0  # the step of the last validation
    finished: bool = False  # to the very end: if it goes on, it is prolonged


def save(
    folder: Path, model: nn.Module, optimiser: torch.optim.Optimizer, progress: Progress
) -> None:
    """Adds the checkpoint of this step."""
    final = folder / f"step-{progress.step:08d}"
    partial = folder / f".partial-{progress.step:08d}"
    for left in folder.glob(".*-*"):  # by a kill, half written or half removed
        shutil.rmtree(left, ignore_errors=True)
    try:
        partial.mkdir(parents=True)
        save_tensors(weights(model), partial / WEIGHTS)
        save_tensors(_optimiser_tensors(model, optimiser), partial / OPTIMISER)
        save_progress(partial, progress)
        _remove(final)
        partial.rename(final)
        sync(folder)
    except OSError as error:
        raise TrainingError(
            f"checkpoint {final} could not be written ({error}). Those before it are untouched: "
            f"make room, then go on with --resume"
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def save_progress(path: Path, progress: Progress) -> None:
    """How far the run had come, into a checkpoint, in one move."""
    write_atomically(path / STATE, json.dumps(asdict(progress), indent=1))


def saved(folder: Path) -> list[Path]:
    """The whole checkpoints of a run, oldest first."""
    return sorted(folder.glob("step-*"))


def last_progress(folder: Path) -> Progress:
    """That of the newest checkpoint; of a run that has not begun if there is none."""
    kept = saved(folder)
    return _read_progress(kept[-1]) if kept else Progress()


def _read_progress(path: Path) -> Progress:
    try:
        return Progress(**json.loads((path / STATE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise _damaged(path, error) from error


def _damaged(path: Path, error: Exception) -> ModelFolderError:
    return ModelFolderError(
        f"checkpoint {path} is damaged ({error}): delete it to go on from the one before"
    )


def regular(folder: Path, every: int | None) -> list[Path]:
    """Those of the run's own rhythm and the newest one; not those that an interruption left, so
    that an interrupted run averages the same weights as one that was not. A run that saves by the
    clock has no such rhythm: then all of them."""
    all_saved = saved(folder)
    if every is None:
        return all_saved
    return [p for p in all_saved if int(p.name[5:]) % every == 0 or p == all_saved[-1]]


def prune(folder: Path, *, keep: int, every: int | None) -> None:
    """Removes all checkpoints but the last regular ones."""
    kept = regular(folder, every)[-keep:]
    for path in saved(folder):
        if path not in kept:
            _remove(path)


def _remove(path: Path) -> None:
    """Out of sight in one move, then deleted: a kill in between leaves no half of a checkpoint."""
    hidden = path.with_name(f".removed-{path.name}")
    shutil.rmtree(hidden, ignore_errors=True)
    if path.exists():
        path.rename(hidden)
        shutil.rmtree(hidden, ignore_errors=True)


def restore(path: Path, model: nn.Module, optimiser: torch.optim.Optimizer) -> Progress:
    """Puts model, optimiser and random states back; returns how far the run had come."""
    try:
        load_weights(model, load_file(path / WEIGHTS), origin=path / WEIGHTS)
        _restore_optimiser(model, optimiser, load_file(path / OPTIMISER))
    except (OSError, SafetensorError, ValueError, KeyError) as error:
        raise _damaged(path, error) from error
    return _read_progress(path)


def _optimiser_tensors(model: nn.Module, optimiser: torch.optim.Optimizer) -> dict[str, Tensor]:
    """The optimiser's state by the names of its weights, and the random states."""
    tensors: dict[str, Tensor] = {"random.cpu": torch.get_rng_state()}
    if torch.cuda.is_available():
        tensors["random.cuda"] = torch.cuda.get_rng_state()
    if torch.backends.mps.is_available():
        tensors["random.mps"] = torch.mps.get_rng_state()
    for name, parameter in model.named_parameters():
        for key, value in optimiser.state[parameter].items():
            tensors[f"{key}.{name}"] = value.contiguous()
    return tensors


def _restore_optimiser(
    model: nn.Module, optimiser: torch.optim.Optimizer, tensors: dict[str, Tensor]
) -> None:
    for name, parameter in model.named_parameters():
        kept = {key: tensors.get(f"{key}.{name}") for key in OPTIMISER_STATE}
        state = {k: tensor.to(parameter.device) for k, tensor in kept.items() if tensor is not None}
        if not state:
            raise KeyError(f"nothing of {name}")
        optimiser.state[parameter] = state
    torch.set_rng_state(tensors["random.cpu"])
    if "random.cuda" in tensors and torch.cuda.is_available():
        torch.cuda.set_rng_state(tensors["random.cuda"])
    if "random.mps" in tensors and torch.backends.mps.is_available():
        torch.mps.set_rng_state(tensors["random.mps"])

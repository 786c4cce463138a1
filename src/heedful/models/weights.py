"""A model's weights as safetensors: out of the model, onto the disk, and back in."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor, nn

from heedful.errors import ModelFolderError
from heedful.files import USUAL_MODE, sync


def weights(model: nn.Module) -> dict[str, Tensor]:
    """Each distinct weight once, by name: shared tables are not repeated."""
    return {name: p.detach().contiguous() for name, p in model.named_parameters()}


def load_weights(model: nn.Module, tensors: dict[str, Tensor], *, origin: Path) -> None:
    """Copies the weights in; names and shapes must be those of the model."""
    check_fit(model, {name: tuple(tensor.shape) for name, tensor in tensors.items()}, origin)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(tensors[name])


def check_fit(model: nn.Module, shapes: dict[str, tuple[int, ...]], origin: Path) -> None:
    """Weights of these names and shapes are wanted by the model, and no others."""
    wanted = {name: tuple(parameter.shape) for name, parameter in model.named_parameters()}
    if wanted.keys() != shapes.keys():
        missing = ", ".join(sorted(wanted.keys() - shapes.keys())[:3]) or "none"
        surplus = ", ".join(sorted(shapes.keys() - wanted.keys())[:3]) or "none"
        raise ModelFolderError(
            f"{origin} does not fit its settings: missing weights {missing}; surplus {surplus}"
        )
    for name, shape in wanted.items():
        if shape != shapes[name]:
            raise ModelFolderError(
                f"{origin} does not fit its settings: {name} is {shapes[name]}, "
                f"but {shape} is wanted"
            )


def save_tensors(tensors: dict[str, Tensor], path: Path) -> None:
    """Writes a safetensors file and waits until it is on the disk."""
    try:
        save_file({name: tensor.cpu() for name, tensor in tensors.items()}, path)
        path.chmod(USUAL_MODE)  # safetensors lets nobody but the owner read
        sync(path)
    except (OSError, SafetensorError) as error:
        raise ModelFolderError(
            f"{path} could not be written ({error}). What was saved before is untouched: "
            f"make room, then go on with --resume"
        ) from error

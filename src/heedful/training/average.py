"""The average of the last checkpoints' weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from safetensors.torch import load_file
from torch import Tensor

from heedful.training.checkpoint import WEIGHTS


def averaged(checkpoints: Sequence[Path]) -> dict[str, Tensor]:
    """Each weight's mean over the checkpoints, summed in double precision, one file at a time."""
    sums: dict[str, Tensor] = {}
    for checkpoint in checkpoints:
        for name, tensor in load_file(checkpoint / WEIGHTS).items():
            sums[name] = sums[name] + tensor.double() if name in sums else tensor.double()
    return {name: (total / len(checkpoints)).float() for name, total in sums.items()}

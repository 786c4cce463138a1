"""The mean of checkpoints, by hand."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor

from heedful.training.average import averaged
from heedful.training.checkpoint import WEIGHTS


def checkpoints(folder: Path, *of_each: dict[str, Tensor]) -> list[Path]:
    paths = []
    for number, tensors in enumerate(of_each):
        paths.append(folder / f"step-{number:08d}")
        paths[-1].mkdir()
        save_file(tensors, paths[-1] / WEIGHTS)
    return paths


def test_each_weights_mean(tmp_path: Path) -> None:
    made = checkpoints(
        tmp_path,
        {"a": torch.tensor([[1.0, 2.0, 3.0]]), "b": torch.tensor([0.5])},
        {"a": torch.tensor([[4.0, -2.0, 3.0]]), "b": torch.tensor([0.0])},
        {"a": torch.tensor([[7.0, 9.0, 3.0]]), "b": torch.tensor([-2.0])},
    )
    found = averaged(made)
    assert found.keys() == {"a", "b"}
    assert found["a"].tolist() == [[4.0, 3.0, 3.0]]
    assert found["b"].tolist() == [-0.5]
    assert found["a"].dtype == torch.float32
    assert averaged(made[1:])["a"].tolist() == [[5.5, 3.5, 3.0]]


def test_nothing_small_is_lost_beside_something_large(tmp_path: Path) -> None:
    """In single precision 2^25 + 3 - 2^25 is 4."""
    large = 2.0**25
    made = checkpoints(tmp_path, *({"w": torch.tensor([x])} for x in (large, 3.0, -large)))
    assert averaged(made)["w"].tolist() == [1.0]

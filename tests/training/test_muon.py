"""Muon: orthogonal steps for matrices, Adam's for the rest."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import heedful
from heedful.training.muon import SLOWER, Muon, orthogonal

from ..trained import TINY, Text


@pytest.mark.parametrize("shape", [(2, 13, 13), (3, 7, 23), (1, 29, 11)], ids=str)
def test_singular_values_come_near_one_and_directions_stay(shape: tuple[int, int, int]) -> None:
    torch.manual_seed(1)
    x = torch.randn(shape)
    u, before, v = torch.linalg.svd(x, full_matrices=False)
    found = u.transpose(1, 2) @ orthogonal(x) @ v.transpose(1, 2)  # diagonal, if they stay
    values = found.diagonal(dim1=1, dim2=2)
    assert ((values > 0) & (values < 1.28)).all()
    assert (values[before > 0.0102 * x.norm(dim=(1, 2))[:, None]] > 0.72).all()
    torch.testing.assert_close(found, torch.diag_embed(values), rtol=0, atol=1e-3)


def test_a_step_goes_equally_far_along_all_directions() -> None:
    torch.manual_seed(2)
    weight, bias = nn.Parameter(torch.zeros(6, 4)), nn.Parameter(torch.zeros(5))
    optimiser = Muon({weight: [6]}, [bias], betas=(0.9, 0.98), eps=1e-9)
    for group in optimiser.param_groups:
        group["lr"] = 0.1
    weight.grad = torch.diag(torch.tensor([9.0, 3.0, 1.0, 0.5]))[[0, 1, 2, 3, 3, 3]]
    bias.grad = torch.full((5,), 7.0)
    optimiser.step()
    moved = torch.linalg.svdvals(weight.detach())
    far = 0.1 * SLOWER * math.sqrt(6)
    assert (moved > 0.6 * far).all()
    assert (moved < 1.3 * far).all()
    torch.testing.assert_close(bias.detach(), torch.full((5,), -0.1))  # Adam's first step


def test_parts_are_taken_one_by_one() -> None:
    torch.manual_seed(3)
    gradient = torch.randn(15, 5)
    whole, alone = nn.Parameter(torch.zeros(15, 5)), nn.Parameter(torch.zeros(5, 5))
    whole.grad, alone.grad = gradient.clone(), gradient[5:10].clone()
    for weight, rows in ((whole, [5, 5, 5]), (alone, [5])):
        others = [nn.Parameter(torch.zeros(1))]
        optimiser = Muon({weight: rows}, others, betas=(0.9, 0.98), eps=1e-9)
        optimiser.param_groups[0]["lr"] = 1.0
        optimiser.step()
    torch.testing.assert_close(whole[5:10], alone)


def test_a_resumed_run_goes_on_with_the_same_momentum(prose_text: Text, tmp_path: Path) -> None:
    def train(name: str, steps: int, **options: Any) -> bytes:
        heedful.train(out=tmp_path / name, steps=steps, threads=1, quiet=True, **options)
        last = tmp_path / name / "checkpoints" / f"step-{steps:08d}"
        return (last / "weights.safetensors").read_bytes()

    begun = {
        **prose_text.options,
        "set": (*TINY, "training.optimiser=muon", "training.warmup=3", "training.peak_rate=0.01"),
    }
    whole = train("whole", 9, **begun)
    assert train("parts", 5, **begun) != whole
    assert train("parts", 9, resume=True) == whole

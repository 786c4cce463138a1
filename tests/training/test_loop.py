"""One step of training: gradients per real token, clipped, and never other than finite."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
import torch

from heedful.batches import Batch, make_batch
from heedful.errors import TrainingError
from heedful.models.build import build
from heedful.models.config import TransformerConfig
from heedful.training.checkpoint import Progress
from heedful.training.config import ResolvedTraining
from heedful.training.loop import Run, _backward, _clip
from heedful.training.pace import Clock, StepPace
from heedful.training.schedule import Schedule
from heedful.training.team import Team

from .samples import CHOSEN

SOURCES = [[5, 6, 7], [8], [9, 10, 11, 12, 13, 14, 5], [4, 4]]
TARGETS = [[6, 5], [7, 8, 9, 10, 11], [12], [13, 14, 15]]


def make_run(folder: Path, **settings: Any) -> Run:
    torch.manual_seed(3)
    config = TransformerConfig(n_layers=2, d_model=12, d_ff=23, n_heads=3, dropout=0, tie="none")
    model = build(config, source_vocabulary=17, target_vocabulary=19, max_length=11)
    nothing = cast(Any, None)  # what a single step does not touch
    return Run(
        model=model,
        optimiser=nothing,
        team=Team(model, threads=1, batch_tokens=101, smoothing=0.1, bf16=False),
        feed=nothing,
        progress=Progress(step=6),
        config=ResolvedTraining(**(CHOSEN | settings)),
        pace=StepPace(Schedule("inverse_sqrt", peak=0.25, warmup=7), None, 11, 13),
        clock=Clock(),
        checkpoints=folder,
        reporter=nothing,
        validate=nothing,
    )


def gradients(run: Run) -> list[torch.Tensor]:
    found = [p.grad.clone() for p in run.model.parameters() if p.grad is not None]
    run.model.zero_grad()
    return found


def test_two_batches_give_the_gradients_of_one_with_both(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    together = _backward(run, [make_batch(SOURCES, TARGETS)])
    expected = gradients(run)
    halves = [make_batch(SOURCES[:1], TARGETS[:1]), make_batch(SOURCES[1:], TARGETS[1:])]
    assert [half.n_tokens for half in halves] == [3, 12]  # unequal: a mean of means would be off
    apart = _backward(run, halves)
    assert apart == pytest.approx(together, rel=1e-5)
    torch.testing.assert_close(gradients(run), expected, rtol=1e-4, atol=1e-6)


def test_a_long_gradient_is_shortened(tmp_path: Path) -> None:
    run = make_run(tmp_path, clip_norm=0.01)
    _backward(run, [make_batch(SOURCES, TARGETS)])
    before = torch.cat([g.flatten() for g in gradients_kept(run)])
    assert before.norm() > 0.01
    _clip(run)
    after = torch.cat([g.flatten() for g in gradients_kept(run)])
    assert float(after.norm()) == pytest.approx(0.01, rel=1e-3)
    torch.testing.assert_close(after / after.norm(), before / before.norm())


def test_a_short_one_is_not(tmp_path: Path) -> None:
    run = make_run(tmp_path, clip_norm=1e6)
    _backward(run, [make_batch(SOURCES, TARGETS)])
    before = gradients_kept(run)
    _clip(run)
    torch.testing.assert_close(gradients_kept(run), before, rtol=0, atol=0)


def gradients_kept(run: Run) -> list[torch.Tensor]:
    return [p.grad.clone() for p in run.model.parameters() if p.grad is not None]


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_gradient_that_is_not_finite_is_told(tmp_path: Path, value: float) -> None:
    run = make_run(tmp_path)
    parameter = next(run.model.parameters())
    parameter.grad = torch.full_like(parameter, value)
    with pytest.raises(
        TrainingError, match=r"gradient became (nan|inf) at step 7: the rate \(0.25"
    ):
        _clip(run)


def test_a_loss_that_is_not_finite_is_told(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    (tmp_path / "step-00000005").mkdir()
    with torch.no_grad():
        next(run.model.parameters()).fill_(float("nan"))
    batch: Batch = make_batch(SOURCES, TARGETS)
    with pytest.raises(
        TrainingError, match=r"loss became nan at step 7.*step-00000005; try a lower"
    ):
        _backward(run, [batch])

"""The short trainings of the studies: small models on tasks that are made up as they go."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from heedful.batches import Batch
from heedful.errors import InputError
from heedful.models.build import build
from heedful.models.config import ModelConfig
from heedful.models.seq2seq import AnySeq2Seq
from heedful.training.team import batch_loss

WARMUP = 0.1  # of the steps; after it the rate falls to nothing in a straight line


def check_amounts(**amounts: int) -> None:
    """Each is at least one."""
    for name, amount in amounts.items():
        if amount < 1:
            raise InputError(f"--{name} {amount}: at least 1 is wanted")


def make_model(config: ModelConfig, *, vocabulary: int, longest: int, seed: int) -> AnySeq2Seq:
    """A model whose two sides share a vocabulary."""
    torch.manual_seed(seed)
    return build(
        config, source_vocabulary=vocabulary, target_vocabulary=vocabulary, max_length=longest
    )


def learn(
    model: AnySeq2Seq,
    draw: Callable[[], Batch],
    *,
    steps: int,
    rate: float,
    watch: Callable[[int], None] = lambda step: None,
) -> list[float]:
    """Adam with clipped gradients -> the loss of each step, for each target token."""
    optimiser = torch.optim.Adam(model.parameters(), lr=rate, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / (WARMUP * steps), 1 - step / steps)
    )
    losses = []
    model.train()
    for step in range(steps):
        batch = draw()
        optimiser.zero_grad()
        loss, plain = batch_loss(model, batch, smoothing=0.0)
        torch.autograd.backward(loss / batch.n_tokens)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        losses.append(plain / batch.n_tokens)
        watch(step)
    model.eval()
    return losses

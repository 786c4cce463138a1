"""Gradients of a batch, by several threads of which each takes some of its sentences.

Threads that share every single operation, as torch's do, mostly wait for each other where the
operations are small. Those of a team meet once a batch.
"""

from __future__ import annotations

import torch
from torch import Tensor

from heedful.batches import Batch
from heedful.layers import drawing_from
from heedful.machine import worker_threads
from heedful.models.seq2seq import AnySeq2Seq
from heedful.text.special import PAD
from heedful.training.loss import smoothed_loss

FEWEST_TOKENS = 512  # of a share: below it a thread has too little to do at a time


def team_size(threads: int, batch_tokens: int) -> int:
    """As many workers as have enough to do, and among whom the threads can be shared evenly."""
    most = max(1, batch_tokens // FEWEST_TOKENS)
    return max(n for n in range(1, min(threads, most) + 1) if threads % n == 0)


class Team:
    """As many workers as the threads and the size of a batch allow; one, and no thread of its own,
    where a device other than the CPU does the work."""

    def __init__(
        self,
        model: AnySeq2Seq,
        *,
        threads: int,
        batch_tokens: int,
        smoothing: float,
        bf16: bool,
    ) -> None:
        self._model, self._smoothing, self._bf16 = model, smoothing, bf16
        self._weights = [p for p in model.parameters() if p.requires_grad]
        self._device = self._weights[0].device
        on_cpu = self._device.type == "cpu"
        self.size = team_size(threads, batch_tokens) if on_cpu else 1
        self._pool = None
        if self.size > 1:
            self._draws = [torch.Generator() for _ in range(self.size)]
            self._pool = worker_threads(self.size, threads_each=threads // self.size)

    def backward(self, batch: Batch, n_tokens: int) -> float:
        """Adds the gradients of the loss / n_tokens -> the plain loss, summed over real tokens."""
        if self._pool is None:
            loss, plain = self._loss(batch.to(self._device))
            torch.autograd.backward(loss / n_tokens)
            return plain
        seeds = torch.randint(2**63 - 1, (self.size,)).tolist()
        shares = batch.shares(self.size)
        plain = 0.0
        for part, gradients in self._pool.map(
            lambda i: self._share(i, shares[i], seeds[i], n_tokens), range(len(shares))
        ):
            plain += part
            # In this order, whoever is done first: the sum is always the same.
            for weight, gradient in zip(self._weights, gradients, strict=True):
                weight.grad = gradient if weight.grad is None else weight.grad.add_(gradient)
        return plain

    def _share(
        self, worker: int, batch: Batch, seed: int, n_tokens: int
    ) -> tuple[float, tuple[Tensor, ...]]:
        with drawing_from(self._draws[worker].manual_seed(seed)):
            loss, plain = self._loss(batch)
            gradients = torch.autograd.grad(loss / n_tokens, self._weights, materialize_grads=True)
        return plain, gradients

    def _loss(self, batch: Batch) -> tuple[Tensor, float]:
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._bf16):
            return batch_loss(self._model, batch, self._smoothing)


def batch_loss(model: AnySeq2Seq, batch: Batch, smoothing: float) -> tuple[Tensor, float]:
    """The smoothed loss to learn from and the plain one to show, both summed over real tokens."""
    hidden = model.decode(batch.target_in, model.encode(batch.source, batch.source_mask))
    factors = model.output.factors(hidden)
    loss, plain = smoothed_loss(*factors, batch.target_out, smoothing=smoothing, padding=PAD)
    return loss, float(plain)

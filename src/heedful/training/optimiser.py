"""Which optimiser moves which weights."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from heedful.attention import MultiHeadAttention
from heedful.training.config import TrainingConfig
from heedful.training.muon import Muon


def make_optimiser(model: nn.Module, config: TrainingConfig) -> torch.optim.Optimizer:
    """Adam with the paper's settings, or Muon for the matrices and Adam for the rest."""
    betas, eps = (config.beta1, config.beta2), config.epsilon
    if config.optimiser != "muon":
        return torch.optim.Adam(model.parameters(), lr=0.0, betas=betas, eps=eps, fused=True)
    matrices = matrices_of(model)
    others = [p for p in model.parameters() if p not in matrices]
    return Muon(matrices, others, betas=betas, eps=eps)


def matrices_of(model: nn.Module) -> dict[Tensor, list[int]]:
    """Those that map one layer to the next, and how many rows each of those has that lie below
    each other in one: an attention's for queries, keys and values do.

    Tables of embeddings are none: their rows are as many words.
    """
    found = {m.weight: [len(m.weight)] for m in model.modules() if isinstance(m, nn.Linear)}
    for module in model.modules():
        if isinstance(module, MultiHeadAttention):
            found[module.project.weight] = module.widths
    return found

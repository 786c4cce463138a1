"""Where a model looks while it writes: a layer's attention over the source, all its heads."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from heedful.attention import Look
from heedful.batches.batch import Batch, make_batch
from heedful.decoding.hypothesis import Hypothesis
from heedful.engines.engine import Task
from heedful.model_folder.card import alignment_layer
from heedful.models.seq2seq import AnySeq2Seq


@torch.inference_mode()
def looks_by_layer(model: AnySeq2Seq, batch: Batch) -> list[Tensor]:
    """How much each target token looks at each source token, (B, T, S) for each layer; none, if the
    model attends to nothing."""
    seen: list[Tensor] = []

    def keep(kind: str, layer: int, look: Look) -> None:
        if kind == "cross":
            seen.append(look.weights.mean(1))

    memory = model.encode(batch.source, batch.source_mask)
    model.decode(batch.target_in, memory, record=keep)
    return seen


def with_weights(
    model: AnySeq2Seq,
    task: Task,
    rows: list[int],
    found: list[list[Hypothesis]],
    measured: int | None,
) -> list[list[Hypothesis]]:
    """The same hypotheses, each with its weights; without, if the model attends to nothing."""
    pairs = [(row, h) for row, some in zip(rows, found, strict=True) for h in some]
    device = next(model.parameters()).device
    sources = [list(task.sources[row]) for row, _ in pairs]
    batch = make_batch(sources, [list(h.tokens) for _, h in pairs]).to(device)
    looks = looks_by_layer(model, batch)
    if not looks:
        return found
    weights = looks[alignment_layer(len(looks), measured)].tolist()
    aligned = iter(
        replace(h, weights=[row[: len(source) + 1] for row in own[: len(h.tokens)]])
        for (_, h), source, own in zip(pairs, sources, weights, strict=True)
    )
    return [[next(aligned) for _ in some] for some in found]

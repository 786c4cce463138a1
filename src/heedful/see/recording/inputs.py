"""What a picture wants of a model beside a record: what comes into a layer, and its positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from heedful.see.recording.attention import Floats

if TYPE_CHECKING:
    from heedful.models.seq2seq import AnySeq2Seq


def inputs_of(model: AnySeq2Seq, source: Sequence[int], layer: int) -> Floats:
    """The vectors (positions, d_model) that go into self-attention of a layer (from 1)."""
    import torch

    from heedful.attention import MultiHeadAttention
    from heedful.batches.batch import pad_sources

    attentions = [m for m in model.modules() if isinstance(m, MultiHeadAttention)]
    found: list[Any] = []
    hook = attentions[layer - 1].register_forward_pre_hook(lambda _, given: found.append(given[0]))
    try:
        ids, mask = pad_sources([source])
        device = next(model.parameters()).device
        with torch.inference_mode():
            model.encode(ids.to(device), mask.to(device))
    finally:
        hook.remove()
    inputs: Floats = found[0][0].float().cpu().numpy()
    return inputs


def positions_of(model: AnySeq2Seq, n: int) -> tuple[Floats, str] | None:
    """The encoder's first n positions (n, d_model), and what they are; None if it has none."""
    from heedful.layers import LearnedPositions, SinusoidalPositions

    positions = getattr(model, "source_positions", None)
    if isinstance(positions, SinusoidalPositions):
        return positions(0, n).float().cpu().numpy(), "sinusoids"
    if isinstance(positions, LearnedPositions):
        return positions.table[:n].detach().float().cpu().numpy(), "learned positions"
    return None

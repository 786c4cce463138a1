"""A model reads a pair of sentences, and every weight of every head is kept.

Of a model that has no attention, what its gradients say is kept instead, under that name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heedful.errors import InputError
from heedful.see.record import Attention, Record

if TYPE_CHECKING:
    from torch import Tensor

    from heedful.models.seq2seq import AnySeq2Seq
    from heedful.text.tokenizer import Tokenizer

END = "</s>"


def attend(
    model: AnySeq2Seq,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    source: str,
    target: str,
    *,
    limit: int,
) -> Record:
    """Teacher-forced: while each target piece is predicted, where does the model look?

    A query of the decoder is labelled with the piece that it is about to write.
    """
    import torch

    from heedful.batches.batch import make_batch

    source_ids, target_ids = source_tokenizer.encode(source), target_tokenizer.encode(target)
    for side, ids in (("source", source_ids), ("target", target_ids)):
        if not 0 < len(ids) <= limit:
            raise InputError(f"the {side} has {len(ids)} tokens; 1 to {limit} are wanted")
    device = next(model.parameters()).device
    batch = make_batch([source_ids], [target_ids]).to(device)
    sources = (*source_tokenizer.pieces(source_ids), END)
    targets = (*target_tokenizer.pieces(target_ids), END)
    written = ("<s>", *targets[:-1])
    labels = {
        "encoder": (sources, sources),
        "decoder": (targets, written),
        "cross": (targets, sources),
        "saliency": (targets, sources),
    }
    seen: list[Attention] = []

    def keep(kind: Any, layer: int, weights: Tensor) -> None:
        queries, keys = labels[kind]
        seen.append(Attention(kind, layer, weights[0].float().cpu().numpy(), queries, keys))

    with torch.inference_mode():
        memory = model.encode(batch.source, batch.source_mask, record=keep)
        model.decode(batch.target_in, memory, record=keep)
    if not seen:
        from heedful.see.saliency import saliency

        keep("saliency", 1, saliency(model, batch)[:, None])
    return Record(source, target, sources, targets, tuple(seen))

"""What a model's gradients say of the source, for models that attend to nothing."""

from __future__ import annotations

import torch
from torch import Tensor

from heedful.batches.batch import Batch
from heedful.models.seq2seq import AnySeq2Seq


def saliency(model: AnySeq2Seq, batch: Batch) -> Tensor:
    """Gradient times input: |e_j · ∂ log p(y_t) / ∂e_j| for the embedding e_j of each source word,
    as shares of each target word's sum -> (B, T, S)."""
    embedded: list[Tensor] = []
    hook = model.embed_source.register_forward_hook(lambda _, __, found: embedded.append(found))
    try:
        # cuDNN's recurrent layers have no gradient outside of training.
        with torch.enable_grad(), torch.backends.cudnn.flags(enabled=False):
            memory = model.encode(batch.source, batch.source_mask)
            hidden = model.decode(batch.target_in, memory)
            log_probs = model.output(hidden).log_softmax(-1)
            written = log_probs.gather(-1, batch.target_out[..., None])[..., 0]  # (B, T)
            (vectors,) = embedded  # (B, S, d_model)
            rows = []
            for of_word in written.unbind(1):
                (gradient,) = torch.autograd.grad(of_word.sum(), vectors, retain_graph=True)
                rows.append((gradient * vectors).sum(-1).abs().detach())
    finally:
        hook.remove()
    found = torch.stack(rows, dim=1).masked_fill(~batch.source_mask[:, None], 0)
    return found / found.sum(-1, keepdim=True).clamp_min(torch.finfo(found.dtype).tiny)

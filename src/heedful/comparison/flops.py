"""How many floating-point operations a model's training takes."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from heedful.batches.prepared import Prepared
from heedful.models.seq2seq import AnySeq2Seq
from heedful.text.special import PAD
from heedful.training.checkpoint import Progress
from heedful.training.feed import Feed

BATCH_TOKENS, BATCHES = 1024, 8


def training_flop(model: AnySeq2Seq, data: Prepared) -> float:
    """Operations of matrix products for each target token, forward and backward, counted while some
    batches of the training data pass: short sentences and long ones, as they come."""
    feed, progress = Feed(data.train, batch_tokens=BATCH_TOKENS, seed=0), Progress()
    device = next(model.parameters()).device
    batches = [feed.next(progress).to(device) for _ in range(BATCHES)]
    # What is one operation to others is taken to pieces: the counter cannot see into it.
    with (
        _silent_about_intel(),
        torch.backends.mkldnn.flags(enabled=False),
        torch.backends.cudnn.flags(enabled=False),
        sdpa_kernel(SDPBackend.MATH),
        FlopCounterMode(display=False) as counter,
    ):
        for batch in batches:
            hidden = model.decode(batch.target_in, model.encode(batch.source, batch.source_mask))
            real = batch.target_out != PAD
            loss = F.cross_entropy(model.output(hidden[real]), batch.target_out[real])
            torch.autograd.backward(loss)
    model.zero_grad()
    return float(counter.get_total_flops()) / sum(batch.n_tokens for batch in batches)


@contextmanager
def _silent_about_intel() -> Iterator[None]:
    """Whoever asks torch for oneDNN's settings is told that Intel's GPUs have more of them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "TF32 acceleration on top of oneDNN", UserWarning)
        yield

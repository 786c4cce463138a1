"""The way in: from a batch of sources to the hypotheses of each."""

from __future__ import annotations

import torch
from torch import Tensor

from heedful.decoding.beam import beam_search
from heedful.decoding.hypothesis import Hypothesis
from heedful.decoding.question import Question
from heedful.decoding.roll_out import greedy, sample
from heedful.models.seq2seq import AnySeq2Seq


@torch.inference_mode()
def search(
    model: AnySeq2Seq,
    source: Tensor,
    mask: Tensor,
    question: Question,
    *,
    nbest: int = 1,
    keys: list[int] | None = None,
) -> list[list[Hypothesis]]:
    """The best hypotheses of each sentence, best first, at most `nbest`.

    source (B, S) ids with end marks, mask (B, S); keys tell the draws of the sentences apart.
    """
    memory = model.encode(source, mask)
    if question.config.sample:
        found = sample(model, memory, question, n=nbest, keys=keys or list(range(len(source))))
    elif question.config.beam == 1:
        found = greedy(model, memory, question)
    else:
        found = beam_search(model, memory, question)
    return [hypotheses[:nbest] for hypotheses in found]

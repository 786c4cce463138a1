"""The way in: from a batch of sources to the hypotheses of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from heedful.decoding.beam import Watch, beam_search
from heedful.decoding.hypothesis import Hypothesis
from heedful.decoding.lexical import lexical_search
from heedful.decoding.phrases import Phrases
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
    phrases: Sequence[Phrases] | None = None,
    watch: Watch | None = None,
) -> list[list[Hypothesis]]:
    """The best hypotheses of each sentence, best first, at most `nbest`.

    source (B, S) ids with end marks, mask (B, S); keys tell the draws of the sentences apart. A
    search for the best can be watched; one for `phrases` that must be there cannot.
    """
    memory = model.encode(source, mask)
    if phrases is not None:
        found = lexical_search(model, memory, question, phrases)
    elif question.config.sample:
        found = sample(model, memory, question, n=nbest, keys=keys or list(range(len(source))))
    elif question.config.beam > 1:
        found = beam_search(model, memory, question, watch)
    elif watch is None:
        found = greedy(model, memory, question)
    else:  # the same, told step by step
        simple = question.config.model_copy(update={"stop": "first"})
        found = beam_search(model, memory, replace(question, config=simple), watch)
    return [hypotheses[:nbest] for hypotheses in found]

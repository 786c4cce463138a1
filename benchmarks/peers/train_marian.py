"""Hugging Face's part: `MarianMTModel` in a plain loop, the one that people write."""

from __future__ import annotations

import random
from itertools import cycle
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence
from transformers import MarianConfig, MarianMTModel

from window import SAME, Job, Window, measure

PAD, BOS, EOS = 0, 2, 3

Pair = tuple[list[int], list[int]]


def build(job: Job) -> Any:
    """The paper's network: nothing is dropped inside attention or feed-forward networks."""
    config = MarianConfig(
        vocab_size=job.vocabulary, d_model=job.d_model, max_position_embeddings=1024,
        encoder_layers=job.n_layers, decoder_layers=job.n_layers,
        encoder_ffn_dim=job.d_ff, decoder_ffn_dim=job.d_ff,
        encoder_attention_heads=job.n_heads, decoder_attention_heads=job.n_heads,
        dropout=SAME["dropout"], attention_dropout=0.0, activation_dropout=0.0,
        activation_function="relu", scale_embedding=True, use_cache=False,
        pad_token_id=PAD, eos_token_id=EOS, bos_token_id=BOS, decoder_start_token_id=BOS,
        forced_eos_token_id=EOS,
        attn_implementation="eager",  # for sentences so short it is faster than "sdpa"
    )  # fmt: skip
    return MarianMTModel(config).train()


def batches(job: Job) -> list[list[Pair]]:
    """Sorted by length, cut at sentences times longest side, shuffled: as heedful does."""
    sides = [
        [[int(word) for word in line.split()] + [EOS] for line in path.read_text().splitlines()]
        for path in (Path(job.text) / "source", Path(job.text) / "target")
    ]
    pairs = sorted(zip(*sides, strict=True), key=lambda pair: (max(map(len, pair)), len(pair[0])))
    cut: list[list[Pair]] = [[]]
    for pair in pairs:
        if (len(cut[-1]) + 1) * max(map(len, pair)) > job.batch_tokens:
            cut.append([])
        cut[-1].append(pair)
    random.Random(1).shuffle(cut)
    return cut


def train(job: Job, window: Window) -> None:
    """Forward, loss, backward, step; until the window is full."""
    torch.set_num_threads(job.threads)
    torch.manual_seed(1)
    model = build(job)
    betas = (0.9, SAME["beta2"])
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-4, betas=betas, eps=1e-9, fused=True)
    for batch in cycle(batches(job)):
        source, target = (_padded([pair[side] for pair in batch]) for side in (0, 1))
        begun = torch.cat((torch.full_like(target[:, :1], BOS), target[:, :-1]), dim=1)
        logits = model(
            input_ids=source,
            attention_mask=(source != PAD).long(),
            decoder_input_ids=begun,
        ).logits
        loss = F.cross_entropy(
            logits.flatten(0, 1),
            target.flatten(),
            ignore_index=PAD,
            label_smoothing=SAME["label_smoothing"],
        )
        torch.autograd.backward(loss)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        window.step(sum(len(s) for s, _ in batch), sum(len(t) for _, t in batch))


def _padded(rows: list[list[int]]) -> Tensor:
    return pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=PAD)


if __name__ == "__main__":
    measure(train)

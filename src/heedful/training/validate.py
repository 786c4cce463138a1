"""How good is it now? The loss of all validation pairs, and the translations of some."""

from __future__ import annotations

import time
from dataclasses import dataclass

import torch

from heedful.batches import Epoch, PairStore, make_batch
from heedful.evaluation import bleu, chrf
from heedful.text.special import PAD
from heedful.training.loss import smoothed_loss
from heedful.translator import Translator


@dataclass(frozen=True)
class Sample:
    """One validation line and what the model makes of it."""

    source: str
    reference: str
    translation: str


@dataclass(frozen=True)
class Validation:
    """The result of one look at the validation set."""

    loss: float  # nats a token, without smoothing
    bleu: float
    chrf: float
    samples: tuple[Sample, ...]
    seconds: float

    def goodness(self, by: str) -> float:
        """Higher is better, whatever it is measured by."""
        return {"loss": -self.loss, "bleu": self.bleu, "chrf": self.chrf}[by]


def validate(
    translator: Translator, store: PairStore, lines: list[tuple[str, str]], *, beam: int = 1
) -> Validation:
    """Leaves the model in the mode in which it was, and draws no random numbers."""
    started = time.monotonic()
    was_training = translator.model.training
    translator.model.eval()
    loss = mean_loss(translator, store)
    found = translator.translate([s for s, _ in lines], beam=beam, split_sentences=False)
    translator.model.train(was_training)
    texts, references = [t.text for t in found], [t for _, t in lines]
    samples = [Sample(*line, text) for line, text in zip(lines[:2], texts, strict=False)]
    seconds = time.monotonic() - started
    return Validation(
        loss, bleu(texts, references), chrf(texts, references), tuple(samples), seconds
    )


@torch.inference_mode()
def mean_loss(translator: Translator, store: PairStore) -> float:
    """-log p of a target token, on average over the pairs of a store."""
    model = translator.model
    device = next(model.parameters()).device
    total, n_tokens = 0.0, 0
    lengths = store.source.lengths, store.target.lengths
    for rows in Epoch(*lengths, batch_tokens=4096, seed=0, epoch=0):
        batch = make_batch(*store.pairs(rows)).to(device)
        hidden = model.decode(batch.target_in, model.encode(batch.source, batch.source_mask))
        factors = model.output.factors(hidden)
        _, plain = smoothed_loss(*factors, batch.target_out, smoothing=0, padding=PAD)
        total, n_tokens = total + float(plain), n_tokens + batch.n_tokens
    return total / n_tokens

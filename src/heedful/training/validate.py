"""How good is it now? The loss of all validation pairs, and the translations of some."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from heedful.batches import Epoch, PairStore, make_batch
from heedful.evaluation import bleu, chrf
from heedful.models.seq2seq import AnySeq2Seq
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
class Scores:
    """Of translations, in percent."""

    bleu: float
    chrf: float


@dataclass(frozen=True)
class Validation:
    """The result of one look at the validation set, with greedy translations."""

    loss: float  # nats a token, without smoothing
    bleu: float
    chrf: float
    samples: tuple[Sample, ...]

    def goodness(self, by: str) -> float:
        """Higher is better, whatever it is measured by."""
        return {"loss": -self.loss, "bleu": self.bleu, "chrf": self.chrf}[by]


def validate(
    translator: Translator,
    store: PairStore,
    lines: list[tuple[str, str]],
    *,
    most_pairs: int | None = None,
) -> Validation:
    """Score the model as it is: the loss of all pairs of the store, or of `most_pairs`, and greedy
    translations of the lines. Leaves the model in its mode, and draws no random numbers."""
    model = translator.model
    was_training = model.training
    model.eval()
    loss = mean_loss(model, store, most_pairs)
    texts, scores = score_lines(translator, lines, beam=1)
    model.train(was_training)
    samples = [Sample(*line, text) for line, text in zip(lines[:2], texts, strict=False)]
    return Validation(loss, scores.bleu, scores.chrf, tuple(samples))


def score_lines(
    translator: Translator, lines: list[tuple[str, str]], *, beam: int
) -> tuple[list[str], Scores]:
    """Translate as `heedful translate` does, but for the beam -> translations and their scores."""
    texts = [found.text for found in translator.translate([s for s, _ in lines], beam=beam)]
    references = [target for _, target in lines]
    return texts, Scores(bleu(texts, references), chrf(texts, references))


@torch.inference_mode()
def mean_loss(model: AnySeq2Seq, store: PairStore, most_pairs: int | None = None) -> float:
    """-log p of a target token, on average over the first pairs of a store."""
    device = next(model.parameters()).device
    total, n_tokens = 0.0, 0
    lengths = store.source.lengths[:most_pairs], store.target.lengths[:most_pairs]
    for rows in Epoch(*lengths, batch_tokens=4096, seed=0, epoch=0):
        batch = make_batch(*store.pairs(rows)).to(device)
        hidden = model.decode(batch.target_in, model.encode(batch.source, batch.source_mask))
        factors = model.output.factors(hidden)
        _, plain = smoothed_loss(*factors, batch.target_out, smoothing=0, padding=PAD)
        total, n_tokens = total + float(plain), n_tokens + batch.n_tokens
    return total / n_tokens

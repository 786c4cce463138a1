"""`heedful compare scaling`: why are dot products divided by √d_k?

The paper's footnote 4: if the elements of q and k are independent with mean 0 and variance 1, their
dot product has variance d_k; softmax then has almost all its weight in one place, and hardly any
gradient. The models here begin just so, for growing d_k, with dot and with scaled dot.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import torch
from rich.console import Console
from rich.progress import Progress
from torch import Tensor

from heedful.attention import Look, MultiHeadAttention
from heedful.batches import Batch
from heedful.batches.batch import make_batch
from heedful.comparison.learning import check_amounts, learn, make_model
from heedful.comparison.pictures import draw_scaling
from heedful.comparison.study import make_room, table, write_study
from heedful.machine import use_threads
from heedful.models.transformer import Transformer
from heedful.recipe import parse
from heedful.text.special import FIRST_WORD, PAD
from heedful.training.team import batch_loss

NAME = "scaling"
WIDTHS = (16, 32, 64, 128, 256, 512)
SCORES = ("dot", "scaled_dot")
LETTERS, LENGTHS, BATCH, D_MODEL = 20, (6, 12), 64, 64
VOCABULARY = FIRST_WORD + LETTERS
STALLED = 2  # times the last loss with the division, and more


def draw(random: Random) -> Batch:
    """Sentences and the same from back to front."""
    sources = [
        [FIRST_WORD + random.randrange(LETTERS) for _ in range(random.randint(*LENGTHS))]
        for _ in range(BATCH)
    ]
    return make_batch(sources, [source[::-1] for source in sources])


def make(score: str, d_k: int, seed: int) -> Transformer:
    """One layer on each side, one head. The queries and keys of the attention over the source begin
    with variance 1, as the normalised vectors that they are made of have."""
    settings = {
        "score": score, "d_k": d_k, "d_v": D_MODEL, "n_heads": 1, "n_layers": 1,
        "d_model": D_MODEL, "d_ff": 2 * D_MODEL, "dropout": 0.0, "tie": "three",
    }  # fmt: skip
    config = parse({"model": settings}).model
    model = make_model(config, vocabulary=VOCABULARY, longest=LENGTHS[1], seed=seed)
    assert isinstance(model, Transformer)
    for attention in (m for m in model.modules() if isinstance(m, MultiHeadAttention)):
        queries_and_keys = attention.project.weight.detach()[: 2 * d_k]
        queries_and_keys.normal_(std=D_MODEL**-0.5)
    return model


def sharpness(model: Transformer, batch: Batch) -> tuple[float, float]:
    """Of the attention over the source: the mean entropy of its weights, in bits, and the size of
    the gradient that reaches its projections to queries and keys, for each target token."""
    seen: list[Tensor] = []

    def keep(kind: str, layer: int, look: Look) -> None:
        if kind == "cross":
            seen.append(look.weights[:, 0])  # (B, T, S)

    with torch.no_grad():
        memory = model.encode(batch.source, batch.source_mask)
        model.decode(batch.target_in, memory, record=keep)
    weights = torch.cat([w[batch.target_out != PAD] for w in seen])  # (words, S)
    bits = -(weights * weights.clamp_min(1e-30).log2()).sum(-1)
    loss, _ = batch_loss(model, batch, smoothing=0.0)
    attention = model.decoder[0].cross_attention
    (gradient,) = torch.autograd.grad(loss / batch.n_tokens, [attention.project.weight])
    return float(bits.mean()), float(gradient[: 2 * attention.d_k].norm())


def run_scaling(out: Path, *, steps: int, seeds: int, console: Console | None = None) -> Path:
    """Trains with each width, score and seed; draws, writes -> the report."""
    check_amounts(steps=steps, seeds=seeds)
    make_room(out)
    use_threads(None)
    console = console or Console(highlight=False)
    work = [(d, score, seed) for d in WIDTHS for score in SCORES for seed in range(1, seeds + 1)]
    found: list[dict[str, Any]] = []
    with Progress(console=console) as progress:
        task = progress.add_task("training", total=len(work) * steps)
        for d_k, score, seed in work:
            progress.update(task, description=f"d_k = {d_k}, {score}, seed {seed}")
            found.append(_trained(d_k, score, seed, steps, lambda: progress.advance(task)))
    return _write(out, found, steps, console)


def _trained(
    d_k: int, score: str, seed: int, steps: int, advance: Callable[[], None]
) -> dict[str, Any]:
    """One training: its losses, and the sharpness of its attention before, now and then, after."""
    model, random, probe = make(score, d_k, seed), Random(seed), draw(Random(0))
    seen = [(0, *sharpness(model, probe))]

    def watch(step: int) -> None:
        advance()
        if (step + 1) % max(1, steps // 10) == 0:
            seen.append((step + 1, *sharpness(model, probe)))

    losses = learn(model, lambda: draw(random), steps=steps, rate=0.002, watch=watch)
    return {
        "d_k": d_k, "score": score, "seed": seed, "losses": losses,
        "steps": [step for step, _, _ in seen],
        "entropy": [bits for _, bits, _ in seen],
        "gradient": [size for _, _, size in seen],
    }  # fmt: skip


def _mean(found: list[dict[str, Any]], d_k: int, score: str, key: str) -> list[float]:
    """Over the seeds, step by step."""
    rows = [row[key] for row in found if (row["d_k"], row["score"]) == (d_k, score)]
    return [statistics.mean(step) for step in zip(*rows, strict=True)]


def _first_and_last(
    found: list[dict[str, Any]], d_k: int, score: str, key: str
) -> tuple[float, float]:
    row = _mean(found, d_k, score, key)
    return row[0], row[-1]


def _last_loss(found: list[dict[str, Any]], d_k: int, score: str, steps: int) -> float:
    """Of the last twentieth."""
    return statistics.mean(_mean(found, d_k, score, "losses")[-max(1, steps // 20) :])


def answer(found: list[dict[str, Any]], steps: int) -> str:
    """Does training stall, and is it for the reason that the paper gives? By what was found."""
    widths = sorted({row["d_k"] for row in found})
    ratios = {
        d_k: _last_loss(found, d_k, "dot", steps) / _last_loss(found, d_k, "scaled_dot", steps)
        for d_k in widths
    }
    told = ", ".join(f"{ratio:.1f} for d_k = {d_k}" for d_k, ratio in ratios.items())
    first = f"Without the division the last loss is so many times that with it: {told}."
    stalled = [d_k for d_k, ratio in ratios.items() if ratio > STALLED]
    if not stalled:
        return (
            f"{first} Nowhere is it more than {STALLED} times as large: after {steps:,} steps "
            f"training has stalled for none of these widths."
        )
    return " ".join([first, *(_reason(found, d_k) for d_k in stalled)])


def _reason(found: list[dict[str, Any]], d_k: int) -> str:
    """What became of the weights and of their gradient where training stalled."""
    bits, size = (
        {s: _mean(found, d_k, s, key)[-1] for s in SCORES} for key in ("entropy", "gradient")
    )
    return (
        f"For d_k = {d_k} training stalls: at the end the weights have {bits['dot']:.2f} bits of "
        f"entropy ({bits['scaled_dot']:.2f} with the division), and their gradient is "
        f"{size['dot'] / size['scaled_dot']:.2g} times as large as with it."
    )


def _write(out: Path, found: list[dict[str, Any]], steps: int, console: Console) -> Path:
    losses = {
        d_k: {s: list(enumerate(_mean(found, d_k, s, "losses"))) for s in SCORES} for d_k in WIDTHS
    }
    entropy, gradient = (
        {s: [(d_k, *_first_and_last(found, d_k, s, key)) for d_k in WIDTHS] for s in SCORES}
        for key in ("entropy", "gradient")
    )
    draw_scaling(losses, entropy, gradient, out / f"{NAME}.png")
    heads = ["d_k", "score", "bits before", "after", "gradient before", "after", "loss"]
    text = [
        "# Dot products, scaled and not",
        f"One layer and one head learn to reverse {LENGTHS[0]} to {LENGTHS[1]} letters in "
        f"{steps:,} steps; queries and keys begin with variance 1 in all three attentions, and are "
        f"scored alike in all. The entropy of the weights over the source and the gradient of the "
        f"projections that they come from are those before the first step and after the last, the "
        f"loss that of the last twentieth.",
        table(heads, [_row(found, d, score, steps) for d in WIDTHS for score in SCORES], left=2),
        answer(found, steps),
    ]
    return write_study(out, NAME, found, text, console)


def _row(found: list[dict[str, Any]], d_k: int, score: str, steps: int) -> list[str]:
    bits, size = (_mean(found, d_k, score, key) for key in ("entropy", "gradient"))
    loss = _last_loss(found, d_k, score, steps)
    return [
        f"{d_k}",
        score,
        *(f"{value:.2f}" for value in (bits[0], bits[-1])),
        *(f"{value:.3g}" for value in (size[0], size[-1])),
        f"{loss:.3f}",
    ]

"""How does the memory of training grow with the length of a sentence? Attention is exact.

    python benchmarks/long_sentences.py

One training step (forward, backward, Adam) of a small Transformer on two pairs, of lengths from
512 to 8,192 tokens on both sides, each in a process of its own: its peak resident memory less
what the same process takes for 16 tokens. Beside it the memory that the (L, L) weights alone
would take if they were stored. Draws docs/images/long-sentences.png.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

from common import keep

LENGTHS = (512, 1024, 2048, 4096, 8192)
PICTURE = Path(__file__).parent.parent / "docs" / "images" / "long-sentences.png"
HEADS, LAYERS = 4, 2


def step(length: int) -> None:
    """One step on random tokens; prints the peak resident memory in MiB."""
    import torch

    from heedful.batches import make_batch
    from heedful.models.build import build
    from heedful.models.config import TransformerConfig
    from heedful.training.config import TrainingConfig
    from heedful.training.optimiser import make_optimiser
    from heedful.training.team import batch_loss

    torch.manual_seed(1)
    config = TransformerConfig(
        n_layers=LAYERS, d_model=128, d_ff=256, n_heads=HEADS, tie="three", pre_norm=True
    )
    model = build(config, source_vocabulary=1000, target_vocabulary=1000, max_length=length)
    optimiser = make_optimiser(model, TrainingConfig())
    # Two pairs of different lengths, so that there is padding, and a mask, as in real batches.
    tokens = [torch.randint(4, 1000, (n,)).tolist() for n in (length - 1, length * 3 // 4)]
    batch = make_batch(tokens, tokens)
    loss, _ = batch_loss(model, batch, 0.1)
    torch.autograd.backward(loss / batch.n_tokens)
    optimiser.step()
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def peak(length: int) -> float:
    """MiB of a step in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, str(length)], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def stored_weights(length: int) -> float:
    """MiB that the weights of all heads, layers and both pairs would take."""
    return 2 * HEADS * LAYERS * 3 * length**2 * 4 / 2**20


def draw(found: dict[int, float]) -> None:
    """Measured, linear and quadratic growth, on logarithmic axes."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    lengths = list(found)
    axes.plot(lengths, list(found.values()), "o-", label="measured, whole training step")
    first = found[lengths[0]]
    linear = [first * n / lengths[0] for n in lengths]
    axes.plot(lengths, linear, ":", color="gray", label="linear growth")
    stored = [stored_weights(n) for n in lengths]
    axes.plot(lengths, stored, "--", color="tab:red", label="the weights alone, if stored")
    axes.set(
        xscale="log", yscale="log", xlabel="tokens of a sentence", ylabel="MiB",
        title="Memory of exact attention in training",
    )  # fmt: skip
    axes.set_xticks(lengths, [f"{n:,}" for n in lengths])
    axes.minorticks_off()
    axes.legend(frameon=False)
    figure.savefig(PICTURE, dpi=120)


def main() -> None:
    """All lengths."""
    if len(sys.argv) > 1:
        step(int(sys.argv[1]))
        return
    base = peak(16)
    found = {length: peak(length) - base for length in LENGTHS}
    draw(found)
    keep(
        "long_sentences",
        {
            "mib": {str(n): round(m) for n, m in found.items()},
            "mib_of_stored_weights": {str(n): round(stored_weights(n)) for n in LENGTHS},
            "growth_from_first_to_last": round(found[LENGTHS[-1]] / found[LENGTHS[0]], 1),
            "growth_of_length": LENGTHS[-1] // LENGTHS[0],
        },
    )


if __name__ == "__main__":
    main()

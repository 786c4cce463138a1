"""heedful's part: `heedful.train`, as anybody calls it. Tokens are those of the batches fed."""

from __future__ import annotations

import heedful
from heedful.batches import Batch
from heedful.training.checkpoint import Progress
from heedful.training.feed import Feed
from window import SAME, Job, Window, measure

NEVER = 1_000_000  # steps: nothing is validated or saved inside the window


def train(job: Job, window: Window) -> None:
    """Through the real loop, until the window is full."""
    _count(window)
    settings = {
        "model.n_layers": job.n_layers, "model.d_model": job.d_model, "model.d_ff": job.d_ff,
        "model.n_heads": job.n_heads, "model.dropout": SAME["dropout"], "model.tie": "three",
        "training.batch_tokens": job.batch_tokens, "training.warmup": SAME["warm_up"],
        "training.label_smoothing": SAME["label_smoothing"], "training.beta2": SAME["beta2"],
        "training.validate_every": NEVER, "training.checkpoint_every": NEVER,
        "training.validation_lines": 1,
    }  # fmt: skip
    text = dict(job.heedful)
    about_text = text.pop("set")
    heedful.train(
        **text,
        out=job.out,
        steps=NEVER,
        threads=job.threads,
        device="cpu",
        quiet=True,
        set=[*about_text, *(f"{key}={value}" for key, value in settings.items())],
    )


def _count(window: Window) -> None:
    """Asking for the next batch tells that the step of the last one is over."""
    feed, last = Feed.next, list[Batch]()

    def counted(self: Feed, progress: Progress) -> Batch:
        if last:
            batch = last.pop()
            window.step(int(batch.source_mask.sum()), batch.n_tokens)
        last.append(feed(self, progress))
        return last[0]

    Feed.next = counted  # type: ignore[method-assign]


if __name__ == "__main__":
    measure(train)

"""What tests of training's choices share: the facts of made-up data."""

from __future__ import annotations

from typing import Any

from heedful.batches.prepared import Facts


def facts(*, pairs: int, target_tokens: int) -> Facts:
    """Of data with this much text, and one vocabulary of 2,003 tokens."""
    return Facts(
        fingerprint="",
        origin="",
        text="",
        pairs=pairs,
        valid=67,
        valid_given=False,
        blank=0,
        too_long=0,
        overlap=0,
        source_tokens=target_tokens,
        target_tokens=target_tokens,
        max_length=61,
        length_ratio=1.5,
        source_vocabulary=2003,
        target_vocabulary=2003,
        joint=True,
    )


CHOSEN: dict[str, Any] = {
    "batch_tokens": 101, "schedule": "inverse_sqrt", "warmup": 7, "peak_rate": 0.25,
    "optimiser": "adam", "validate_every": 11, "checkpoint_every": 13, "average": 5, "threads": 1,
    "bf16": False,
}  # fmt: skip
"""Settings of a run, resolved."""

"""Dot products grow with d_k, and what comes of it."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch
from torch import Tensor

from heedful.comparison import scaling_study
from heedful.comparison.scaling_study import answer, draw, make, run_scaling, sharpness


def test_targets_are_sources_from_back_to_front() -> None:
    batch = draw(Random(1))
    for source, mask, target in zip(batch.source, batch.source_mask, batch.target_out, strict=True):
        words = source[mask].tolist()[:-1]
        assert target[: len(words)].tolist() == words[::-1]


@torch.no_grad()
def test_queries_and_keys_begin_with_variance_one() -> None:
    """Those of the sentences themselves, in the attention over the source."""
    model, batch, seen = make("dot", 256, seed=1), draw(Random(0)), list[Tensor]()
    attention = model.decoder[0].cross_attention
    attention.register_forward_pre_hook(lambda _, given: seen.extend(given[:2]))
    model.decode(batch.target_in, model.encode(batch.source, batch.source_mask))
    written, read = seen
    assert attention.queries(written).var().item() == pytest.approx(1, rel=0.15)
    assert attention.keys_and_values(read)[0].var().item() == pytest.approx(1, rel=0.15)


def test_without_the_scale_weights_are_sharp_and_more_so_for_wider_keys() -> None:
    batch = draw(Random(0))
    entropy = {
        (score, d_k): sharpness(make(score, d_k, seed=1), batch)[0]
        for score in ("dot", "scaled_dot")
        for d_k in (16, 256)
    }
    assert entropy["dot", 256] < entropy["dot", 16] < entropy["scaled_dot", 16]
    assert entropy["scaled_dot", 256] == pytest.approx(entropy["scaled_dot", 16], rel=0.15)


def made_up(losses: dict[tuple[int, str], float]) -> list[dict[str, Any]]:
    """Two seeds of each, with losses, entropies and gradients that are easy to tell apart."""
    return [
        {"d_k": d_k, "score": score, "seed": seed, "losses": [9.0] * 19 + [last],
         "steps": [0, 20], "entropy": [3.0, 0.25 if score == "dot" else 1.5],
         "gradient": [1.0, 0.02 if score == "dot" else 0.1]}
        for (d_k, score), last in losses.items()
        for seed in (1, 2)
    ]  # fmt: skip


def test_what_stalls_is_told_with_its_figures() -> None:
    found = made_up({(16, "dot"): 0.5, (16, "scaled_dot"): 0.4, (64, "dot"): 2.4,
                     (64, "scaled_dot"): 0.6})  # fmt: skip
    told = answer(found, steps=20)
    assert "1.2 for d_k = 16, 4.0 for d_k = 64" in told
    assert "For d_k = 64 training stalls: at the end the weights have 0.25 bits" in told
    assert "(1.50 with the division), and their gradient is 0.2 times as large" in told
    assert "For d_k = 16" not in told


def test_that_nothing_stalls_is_told_too() -> None:
    told = answer(made_up({(16, "dot"): 0.6, (16, "scaled_dot"): 0.4}), steps=20)
    assert "1.5 for d_k = 16" in told
    assert "stalled for none of these widths" in told
    assert "bits" not in told


def test_a_whole_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scaling_study, "WIDTHS", (16, 32))
    run_scaling(tmp_path, steps=5, seeds=2)
    found = json.loads((tmp_path / "scaling.json").read_text(encoding="utf-8"))
    assert len(found) == 8
    assert all(len(row["losses"]) == 5 for row in found)
    assert (tmp_path / "scaling.png").exists()
    last = {
        score: sum(row["losses"][-1] for row in found if (row["d_k"], row["score"]) == (16, score))
        for score in ("dot", "scaled_dot")
    }
    told = f"{last['dot'] / last['scaled_dot']:.1f} for d_k = 16"
    assert told in (tmp_path / "report.md").read_text(encoding="utf-8")

"""Dot products grow with d_k, and what comes of it."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
import torch
from torch import Tensor

from heedful.comparison import scaling_study
from heedful.comparison.scaling_study import draw, make, run_scaling, sharpness


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

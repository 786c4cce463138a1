"""Training that begins with the weights of another model, whichever that is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

import heedful

from ..trained import TINY, TINY_OF, Command, Text, sentences, write_pairs

BEGINNINGS = {
    **TINY_OF,
    "location": (*TINY_OF["luong"], "model.score=location"),
    "learned positions": (*TINY, "model.positions=learned"),
}
SHORT = [(" ".join(s.split()[:3]), " ".join(t.split()[:3])) for s, t in sentences()]


@pytest.mark.parametrize("name", BEGINNINGS)
def test_its_weights_fit_whatever_the_text(name: str, tmp_path: Path) -> None:
    """No sentence of the second text is as long as the longest of the first."""
    first, second = tmp_path / "first", tmp_path / "second"
    texts = (
        write_pairs(tmp_path / "long", sentences()[:60]),
        write_pairs(tmp_path / "short", sorted(set(SHORT))),
    )
    once: dict[str, Any] = {"threads": 1, "quiet": True}
    heedful.train(out=first, **texts[0].options, steps=2, set=BEGINNINGS[name], **once)
    hardly = ("training.peak_rate=1e-9",)
    heedful.train(out=second, **texts[1].options, start=first, steps=1, set=hardly, **once)
    before, after = (load_file(run / "model.safetensors") for run in (first, second))
    assert before.keys() == after.keys()
    for weight, value in before.items():
        torch.testing.assert_close(after[weight], value, atol=1e-6, rtol=0, msg=weight)


def test_its_vocabulary_is_taken_over(
    command: Command, prose_run: Path, prose_text: Text, tmp_path: Path
) -> None:
    """And not said to be learnt."""
    more = ("--steps", 1, "--threads", 1, "--out", tmp_path / "run")
    answer = command("train", *prose_text.flags, "--from", prose_run, *more)
    assert answer.code == 0, answer.err
    assert "taking over the vocabulary" in answer.out
    assert "learning the vocabulary" not in answer.out
    name = "tokenizer.model"
    assert (tmp_path / "run" / name).read_bytes() == (prose_run / name).read_bytes()

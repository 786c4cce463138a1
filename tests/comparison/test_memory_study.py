"""The letters that must be remembered."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from heedful.comparison.memory_study import ANSWERS, ASKED, LONGEST, draw, run_memory
from heedful.errors import InputError
from heedful.text.special import EOS, FIRST_WORD


def test_the_answer_stands_k_steps_back() -> None:
    distances = [1, 5, 17]
    batch = draw(Random(1), distances)
    for row, mask, answer, k in zip(
        batch.source, batch.source_mask, batch.target_out, distances, strict=True
    ):
        words = row[mask].tolist()
        assert words.pop() == EOS
        places = [i for i, w in enumerate(words) if FIRST_WORD <= w < FIRST_WORD + ANSWERS]
        assert places == [len(words) - 1 - k]
        assert answer.tolist() == [words[places[0]], EOS]


def test_no_sentence_is_longer_than_the_models_hold() -> None:
    assert int(draw(Random(1), [ASKED[-1]] * 50).source_mask.sum(1).max()) <= LONGEST + 1


def test_attention_remembers_and_the_report_says_so(tmp_path: Path) -> None:
    run_memory(tmp_path / "x", ["tanh", "luong"], steps=250, seeds=1)
    found = json.loads((tmp_path / "x" / "memory.json").read_text(encoding="utf-8"))
    far = [i for i, k in enumerate(found["distances"]) if k >= 24]
    assert min(found["mean"]["luong"][i] for i in far) > 80
    assert max(found["mean"]["tanh"][i] for i in far) < 40  # chance is 12.5
    assert (tmp_path / "x" / "memory.png").exists()
    assert "| luong |" in (tmp_path / "x" / "report.md").read_text(encoding="utf-8")


def test_an_unknown_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'lstn' is not known \(did you mean 'lstm'\?\)"):
        run_memory(tmp_path, ["lstn"], steps=1, seeds=1)
    with pytest.raises(
        InputError, match=r"'rnn' is not known \(with which cell\? tanh, gru or lstm"
    ):
        run_memory(tmp_path, ["rnn"], steps=1, seeds=1)

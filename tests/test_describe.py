"""`heedful info`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from heedful.describe import count_weights
from heedful.translator import Translator

from .trained import Command


def test_the_table_tells_what_matters(prose_run: Path, prose: Translator, command: Command) -> None:
    answer = command("info", prose_run)
    assert (answer.code, answer.err) == (0, "")
    n_weights = sum(p.numel() for p in prose.model.parameters())
    rows = " ".join(answer.out.split())
    assert "en → eo" in rows
    assert f"{n_weights:,} weights" in rows
    assert "1+1 layers, d_model 32, d_ff 64, 2 heads" in rows
    assert "390 pairs" in rows  # of 400, 10 are set aside
    assert f"BLEU {prose.card.scores['bleu']}" in rows
    assert f"chrF {prose.card.scores['chrf']}" in rows
    assert "150 steps" in rows
    assert "not finished" not in rows


def test_one_is_not_many(prose_run: Path, command: Command, tmp_path: Path) -> None:
    folder = shutil.copytree(prose_run, tmp_path / "run")
    card = json.loads((folder / "config.json").read_text())
    card["training"] |= {"epochs": 1, "steps": 1, "threads": 1, "pairs": 1}
    (folder / "config.json").write_text(json.dumps(card))
    rows = " ".join(command("info", folder).out.split())
    assert "1 step (kept: that of 150), 1 epoch, " in rows
    assert "with 1 thread " in rows
    assert ": 1 pair, " in rows


def change(folder: Path, **fields: object) -> None:
    """Of its card."""
    card = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(card | fields))


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ({"source_lang": "en", "target_lang": "eo"}, "languages en → eo"),
        ({"source_lang": "en"}, "languages from en"),
        ({"target_lang": "eo"}, "languages into eo"),
        ({}, "run model transformer: "),
    ],
)
def test_what_is_not_known_is_left_out(
    prose_run: Path, command: Command, tmp_path: Path, known: dict[str, object], told: str
) -> None:
    """As of a model that was imported."""
    folder = shutil.copytree(prose_run, tmp_path / "run")
    change(folder, text=known, training={"imported": "MarianMT", "finished": True}, scores={})
    answer = command("info", folder)
    rows = " ".join(answer.out.split())
    assert told in rows
    assert "imported from MarianMT decoding beam" in rows
    for unknown in ("?", "None", "trained on", "training", "validation", "alignments"):
        assert unknown not in rows


def test_the_layer_that_was_measured(prose_run: Path, command: Command, tmp_path: Path) -> None:
    folder = shutil.copytree(prose_run, tmp_path / "run")
    change(folder, alignment_layer=0)
    assert "told best by layer 1 of 1" in command("info", folder).out


def test_a_folder_with_brackets_in_its_name(
    prose_run: Path, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(prose_run, tmp_path / "[q] x")
    card = json.loads((folder / "config.json").read_text())
    card["training"]["origin"] = "[b] y"
    (folder / "config.json").write_text(json.dumps(card))
    monkeypatch.chdir(tmp_path)
    answer = command("info", "[q] x")
    assert answer.out.splitlines()[0].strip() == "[q] x"
    assert "[b] y: 390 pairs" in answer.out


def test_json(prose_run: Path, prose: Translator, command: Command) -> None:
    found = json.loads(command("info", prose_run, "--json").out)
    assert (found["text"]["source_lang"], found["text"]["target_lang"]) == ("en", "eo")
    assert found["weights"] == sum(p.numel() for p in prose.model.parameters())
    assert found["bytes"] == (prose_run / "model.safetensors").stat().st_size
    assert found["scores"] == prose.card.scores
    assert found["model"]["d_model"] == 32


def test_weights_are_counted_from_the_header(prose_run: Path, prose: Translator) -> None:
    expected = sum(p.numel() for p in prose.model.parameters())
    assert count_weights(prose_run / "model.safetensors") == expected

"""Losses that are not finite, full disks, damaged folders: told, and nothing is harmed."""

from __future__ import annotations

import fcntl
import json
import math
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

import heedful
from heedful.errors import ModelFolderError, RecipeError, TrainingError

from ..trained import (
    TINY,
    Command,
    Text,
    contents,
    copy_of,
    is_told_briefly,
    run,
    sentences,
    settings,
    write_pairs,
)


def limited(n_bytes: int) -> str:
    """Python that lets no file grow beyond so many bytes: like a disk that is full."""
    return f"""
import resource, sys
sys.dont_write_bytecode = True
resource.setrlimit(resource.RLIMIT_FSIZE, ({n_bytes}, {n_bytes}))
"""


@pytest.fixture
def own_run(chars_run: Path, tmp_path: Path) -> Path:
    """A copy of the run that one may do anything to."""
    return Path(shutil.copytree(chars_run, tmp_path / "run"))


def lasting(folder: Path) -> dict[str, bytes]:
    """What a failed session must leave as it was."""
    return {
        name: data
        for name, data in contents(folder).items()
        if not name.endswith((".lock", "metrics.jsonl", ".png"))
    }


def test_a_loss_that_is_not_finite_stops_the_run(own_run: Path) -> None:
    before = contents(own_run / "checkpoints")
    newest = max((own_run / "checkpoints").iterdir())
    with pytest.raises(TrainingError, match=r"became (nan|inf) at step 2\d: the rate") as told:
        heedful.train(
            out=own_run, resume=True, quiet=True, steps=40,
            set=("training.peak_rate=1e30", "training.checkpoint_every=100"),
        )  # fmt: skip
    assert f"The last good checkpoint is {newest}" in str(told.value)
    assert "peak_rate" in str(told.value)
    assert contents(own_run / "checkpoints") == before
    outcome = heedful.train(
        out=own_run, resume=True, quiet=True, steps=22, set=("training.peak_rate=0.001",)
    )
    assert outcome.steps == 22


def test_no_checkpoint_is_made_of_weights_that_are_not_finite(own_run: Path) -> None:
    with pytest.raises(TrainingError, match="last good checkpoint"):
        heedful.train(
            out=own_run, resume=True, quiet=True, steps=40,
            set=("training.peak_rate=1e30", "training.checkpoint_every=1"),
        )  # fmt: skip
    newest = max((own_run / "checkpoints").iterdir())
    weights = load_file(newest / "weights.safetensors")
    assert all(tensor.isfinite().all() for tensor in weights.values())


@pytest.mark.parametrize("n_bytes", [20_000, 400])
def test_a_full_disk_while_training(own_run: Path, n_bytes: int) -> None:
    before = lasting(own_run)
    assert len(before["recipe.toml"]) > 400
    answer = run("train", "--out", own_run, "--resume", "--steps", 40, first=limited(n_bytes))
    assert is_told_briefly(answer), answer.err
    assert "could not be written" in answer.err
    after = lasting(own_run)
    after["recipe.toml"] = after["recipe.toml"].replace(b"steps = 40", b"steps = 20")
    assert after == before
    assert heedful.train(out=own_run, resume=True, quiet=True, steps=22).steps == 22


def test_a_full_disk_while_preparing(tmp_path: Path, chars_run: Path) -> None:
    text = [chars_run.parent / name for name in ("text.source", "text.target")]
    out = tmp_path / "run"
    first = "import tempfile\n" + limited(1000)
    answer = run("train", "--source", text[0], "--target", text[1], "--out", out,
                 "--source-tokens", "words", "--target-tokens", "words",
                 *settings(*TINY), first=first)  # fmt: skip
    assert is_told_briefly(answer), answer.err
    assert not (out / "data").exists()


def test_a_damaged_checkpoint_is_named(own_run: Path) -> None:
    newest = max((own_run / "checkpoints").iterdir())
    weights = newest / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(ModelFolderError, match=f"checkpoint {newest} is damaged .*delete it"):
        heedful.train(out=own_run, resume=True, quiet=True, steps=40)
    shutil.rmtree(newest)
    assert heedful.train(out=own_run, resume=True, quiet=True, steps=21).steps == 21


def test_a_resumed_run_keeps_its_model(own_run: Path, command: Command) -> None:
    before = lasting(own_run)
    answer = command("train", "--out", own_run, "--resume", "--set", "model.d_model=64")
    assert is_told_briefly(answer)
    assert "cannot change model.d_model = 64 (the run has 32)" in answer.err
    assert lasting(own_run) == before


def test_a_resumed_run_does_not_overlook_a_setting(own_run: Path, command: Command) -> None:
    """How it decodes may still change, and so it does."""
    assert heedful.load(own_run).card.decoding.beam != 7
    arguments = "train", "--out", own_run, "--resume", "--quiet", "--set", "decoding.beam=7"
    answer = command(*arguments)
    assert (answer.code, answer.err) == (0, "")
    assert heedful.load(own_run).card.decoding.beam == 7


def test_one_process_at_a_time(own_run: Path, command: Command) -> None:
    with (own_run / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        before = lasting(own_run)
        answer = command("train", "--out", own_run, "--resume", "--steps", 30)
        assert is_told_briefly(answer)
        assert f"another process is training in {own_run}" in answer.err
        assert lasting(own_run) == before


def test_a_run_is_not_overwritten(own_run: Path, command: Command) -> None:
    before = contents(own_run)
    text = own_run.parent / "text"
    text.write_text("a\n" * 30)
    answer = command("train", "--source", text, "--target", copy_of(text), "--out", own_run)
    assert is_told_briefly(answer)
    assert f"{own_run} already holds a run: go on with --resume" in answer.err
    assert contents(own_run) == before


def test_damaged_data_is_told(own_run: Path, command: Command) -> None:
    facts = own_run / "data" / "facts.json"
    facts.write_text(json.dumps(json.loads(facts.read_text()) | {"surplus": 1}))
    answer = command("train", "--out", own_run, "--resume", "--steps", 30)
    assert is_told_briefly(answer)
    assert "delete that folder" in answer.err


@pytest.mark.parametrize("setting", ["training.seed=5", "training.batch_tokens=77"])
def test_a_resumed_run_keeps_the_order_of_its_data(tmp_path: Path, setting: str) -> None:
    options = write_pairs(tmp_path, sentences()[:60]).options
    heedful.train(out=tmp_path / "run", **options, steps=1, quiet=True, set=TINY)
    with pytest.raises(RecipeError, match="cannot change training"):
        heedful.train(out=tmp_path / "run", resume=True, steps=2, quiet=True, set=(setting,))


def test_bf16_trains_on_a_cpu_too(tmp_path: Path) -> None:
    options = write_pairs(tmp_path, sentences()[:60]).options
    outcome = heedful.train(
        out=tmp_path / "run", **options, steps=2, quiet=True, set=(*TINY, "training.bf16=true")
    )
    assert math.isfinite(outcome.loss)


def test_an_absurd_dropout_is_no_crash(tmp_path: Path) -> None:
    options = write_pairs(tmp_path, sentences()[:60]).options
    absurd = (*TINY, "model.dropout=0.999")
    assert heedful.train(out=tmp_path / "run", **options, steps=1, quiet=True, set=absurd)


def test_too_little_memory_is_told(
    prose_text: Text, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_large(*_: object, **__: object) -> None:
        torch.empty(2**60)

    monkeypatch.setattr("heedful.training.session.build", too_large)
    answer = command("train", *prose_text.flags, "--out", tmp_path / "run", "--steps", 1)
    assert is_told_briefly(answer)
    assert "not enough memory" in answer.err

"""A run that is killed, at any moment and however often, ends with the very same weights."""

from __future__ import annotations

import json
import random
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pytest

import heedful
from heedful.errors import Interrupted, RecipeError
from heedful.training.checkpoint import Progress
from heedful.training.reporter import Reporter

from ..trained import TINY, TINY_OF, Text, backwards, run, sentences, settings, start, write_pairs

SETTINGS = (
    "model.dropout=0.2",
    "training.batch_tokens=1500",
    "training.checkpoint_every=3",
    "training.validate_every=10",
    "training.keep_checkpoints=4",
    "training.average=3",
    "training.best_by=loss",
)
STEPS = 60


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Text:
    return write_pairs(tmp_path_factory.mktemp("killed"), backwards(2000))


def flags(
    out: Path,
    text: Text,
    *changes: str,
    steps: int = STEPS,
    threads: int = 1,
    model: tuple[str, ...] = TINY,
) -> list[str]:
    return [
        "train", "--out", str(out), *text.flags, "--steps", str(steps), "--threads", str(threads),
        "--source-tokens", "chars", "--target-tokens", "chars",
        *settings(*model, *SETTINGS, *changes),
    ]  # fmt: skip


def train_here(
    out: Path, text: Text, *changes: str, model: tuple[str, ...] = TINY, **options: Any
) -> None:
    """In this process, to the end."""
    heedful.train(
        out=out, **text.options, source_tokens="chars", target_tokens="chars",
        quiet=True, set=(*model, *SETTINGS, *changes), **{"steps": STEPS, "threads": 1} | options,
    )  # fmt: skip


def result(out: Path) -> bytes:
    return (out / "model.safetensors").read_bytes()


def last_checkpoint(out: Path) -> Path:
    return max((out / "checkpoints").glob("step-*"))


@pytest.fixture(scope="module")
def straight(text: Text, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run that nobody disturbs."""
    out = tmp_path_factory.mktemp("straight") / "run"
    train_here(out, text)
    return out


@pytest.mark.parametrize("kind", TINY_OF)
def test_killed_at_random_moments(kind: str, text: Text, tmp_path: Path) -> None:
    out, draw, kills = tmp_path / "run", random.Random(3), 0
    straight, model = tmp_path / "straight", TINY_OF[kind]
    train_here(straight, text, threads=2, model=model)
    for attempt in range(5 if kind == "transformer" else 3):
        with start(*flags(out, text, threads=2, model=model), "--resume") as process:
            assert process.stdout
            begun = "learning the vocabulary" if attempt == 0 else f"training {kind}"
            for line in process.stdout:
                if begun in line:
                    break
            time.sleep(draw.uniform(0.0, 0.7))
            process.kill()
        kills += process.returncode == -signal.SIGKILL
        assert attempt or not (out / "checkpoints").exists()
    assert kills >= (3 if kind == "transformer" else 2)
    last = run(*flags(out, text, threads=2, model=model), "--resume")
    assert last.code == 0, last.err
    assert result(out) == result(straight)
    for name in ("weights.safetensors", "optimiser.safetensors"):
        mine, theirs = last_checkpoint(out) / name, last_checkpoint(straight) / name
        assert mine.read_bytes() == theirs.read_bytes()


@pytest.mark.parametrize("name", ["weights.safetensors", "optimiser.safetensors"])
def test_killed_in_the_middle_of_writing_a_checkpoint(
    text: Text, straight: Path, tmp_path: Path, name: str
) -> None:
    half = f"""
import os, signal
from heedful.training import checkpoint
whole = checkpoint.save_tensors
def half(tensors, path):
    whole(tensors, path)
    if path.name == {name!r} and path.parent.name.endswith("15"):
        os.truncate(path, path.stat().st_size // 2)
        os.kill(os.getpid(), signal.SIGKILL)
checkpoint.save_tensors = half
"""
    out = tmp_path / "run"
    assert run(*flags(out, text), first=half).code == -signal.SIGKILL
    assert (out / "checkpoints" / ".partial-00000015" / name).exists()
    assert last_checkpoint(out).name == "step-00000012"
    train_here(out, text, resume=True)
    assert result(out) == result(straight)
    assert not list((out / "checkpoints").glob(".partial*"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_saves_and_tells_how_to_go_on(
    text: Text, straight: Path, tmp_path: Path, number: signal.Signals
) -> None:
    out, told = tmp_path / "run", []
    with start(*flags(out, text)) as process:
        assert process.stdout
        for line in process.stdout:
            told.append(line)
            if "step 10: validation" in line:
                process.send_signal(number)
        assert process.stderr
        problem = process.stderr.read()
    assert process.returncode == 128 + number, problem
    assert problem == ""
    assert f"stopped by {number.name} at step" in "".join(told)
    stopped = json.loads((last_checkpoint(out) / "state.json").read_text())["step"]
    assert 10 <= stopped < STEPS
    heedful.train(out=out, resume=True, quiet=True)  # as the message says
    assert result(out) == result(straight)


def test_killed_in_the_middle_of_writing_the_recipe(
    text: Text, straight: Path, tmp_path: Path
) -> None:
    half = """
import os, pathlib, signal
whole = pathlib.Path.write_bytes
def half(path, data):
    if "recipe.toml" in path.name:
        whole(path, data[: len(data) // 2])
        os.kill(os.getpid(), signal.SIGKILL)
    return whole(path, data)
pathlib.Path.write_bytes = half
"""
    out = tmp_path / "run"
    assert run(*flags(out, text), first=half).code == -signal.SIGKILL
    train_here(out, text, resume=True)
    assert result(out) == result(straight)


def test_killed_in_the_middle_of_writing_a_tokenizer_the_model_still_loads(
    text: Text, tmp_path: Path
) -> None:
    """The second time, when there is a model already."""
    half = """
import os, pathlib, signal
whole, seen = pathlib.Path.write_bytes, []
def half(path, data):
    if path.parent.name == "run" and "tokenizer.model" in path.name:
        seen.append(path)
    if len(seen) == 2:
        whole(path, data[: len(data) // 2])
        os.kill(os.getpid(), signal.SIGKILL)
    return whole(path, data)
pathlib.Path.write_bytes = half
"""
    out = tmp_path / "run"
    assert run(*flags(out, text, steps=30), first=half).code == -signal.SIGKILL
    written = [path.name for path in out.iterdir() if "tokenizer.model" in path.name]
    assert len(written) == 2  # the whole one of before, and half of another
    translator = heedful.load(out)
    assert translator.card.training["finished"] is False
    assert isinstance(translator.translate("abc").text, str)


EARLY = (
    "training.peak_rate=1e-7",
    "training.validate_every=4",
    "training.patience=2",
    "training.best_by=chrf",
)


def test_killed_while_finishing_after_it_stopped_by_itself(text: Text, tmp_path: Path) -> None:
    undisturbed, out = tmp_path / "undisturbed", tmp_path / "run"
    train_here(undisturbed, text, *EARLY)
    assert last_checkpoint(undisturbed).name < f"step-{STEPS:08d}"
    kill = """
import os, signal
from heedful.training import average
average.load_file = lambda path: os.kill(os.getpid(), signal.SIGKILL)
"""
    assert run(*flags(out, text, *EARLY), first=kill).code == -signal.SIGKILL
    train_here(out, text, *EARLY, resume=True)
    assert last_checkpoint(out).name == last_checkpoint(undisturbed).name
    assert result(out) == result(undisturbed)


def test_a_finished_run_can_be_prolonged(text: Text, straight: Path, tmp_path: Path) -> None:
    """Were the schedule not the same, weights that took a pause could not be."""
    out = tmp_path / "run"
    fixed = "training.warmup=6", "training.peak_rate=0.01"
    train_here(out, text, *fixed, steps=9)
    train_here(out, text, *fixed, resume=True, steps=30)
    train_here(tmp_path / "at-once", text, *fixed, steps=30)
    assert last_checkpoint(out).name == last_checkpoint(tmp_path / "at-once").name
    names = "weights.safetensors", "optimiser.safetensors"
    mine, theirs = last_checkpoint(out), last_checkpoint(tmp_path / "at-once")
    assert [(mine / n).read_bytes() == (theirs / n).read_bytes() for n in names] == [True, True]


def test_a_signal_in_this_process_raises(text: Text, tmp_path: Path) -> None:
    """And what it interrupts goes on to know its languages."""
    out = tmp_path / "run"

    def interrupt(*arguments: Any, **options: Any) -> None:
        signal.raise_signal(signal.SIGTERM)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("heedful.training.reporter.Reporter.validation", interrupt)
        with pytest.raises(Interrupted, match="stopped by signal 15"):
            train_here(out, text, steps=20, source_lang="xx", target_lang="yy")
    heedful.train(out=out, resume=True, quiet=True)
    card = heedful.load(out).card
    assert (card.text.source_lang, card.text.target_lang) == ("xx", "yy")


def test_a_checkpoint_holds_all_and_nothing_pickled(straight: Path) -> None:
    checkpoint = last_checkpoint(straight)
    names = {path.name for path in checkpoint.iterdir()}
    assert names == {"weights.safetensors", "optimiser.safetensors", "state.json"}
    for path in checkpoint.glob("*.safetensors"):
        header = path.read_bytes()
        length = int.from_bytes(header[:8], "little")
        tensors = json.loads(header[8 : 8 + length])
        if path.name.startswith("optimiser"):
            assert "random.cpu" in tensors
            assert any(name.startswith("exp_avg_sq.") for name in tensors)
    state = json.loads((checkpoint / "state.json").read_text())
    assert state["step"] == STEPS
    assert {"epoch", "batch", "tokens", "seconds", "best", "since_best"} <= state.keys()
    kept = [path.name for path in (straight / "checkpoints").iterdir()]
    assert len(kept) == 4


def test_a_prolonged_run_keeps_its_patience_when_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prolonged once, then stopped and resumed, it ends where it would have ended anyway."""
    text = write_pairs(tmp_path, sentences()[:80])
    impatient = (
        *TINY, "training.validate_every=2", "training.checkpoint_every=1", "training.patience=2",
        "training.peak_rate=1e-9",  # it never gets better, so patience ends it
    )  # fmt: skip
    first, second = tmp_path / "first", tmp_path / "second"
    ended = heedful.train(out=first, **text.options, quiet=True, set=impatient).steps
    shutil.copytree(first, second)
    undisturbed = heedful.train(out=first, resume=True, quiet=True).steps
    assert undisturbed > ended + 1

    shown = Reporter.step

    def stop_after_a_step(self: Reporter, progress: Progress, *more: Any) -> None:
        shown(self, progress, *more)
        if progress.step == ended + 3:
            signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(Reporter, "step", stop_after_a_step)
    with pytest.raises(Interrupted):
        heedful.train(out=second, resume=True, quiet=True)
    monkeypatch.undo()
    assert heedful.train(out=second, resume=True, quiet=True).steps == undisturbed


def test_a_resumed_run_keeps_its_story(prose_text: Text, tmp_path: Path) -> None:
    begun: dict[str, Any] = {**prose_text.options, "set": (*TINY, "training.average=1")}
    heedful.train(out=tmp_path / "run", steps=7, threads=1, quiet=True, **begun)

    def story() -> dict[str, Any]:
        card = json.loads((tmp_path / "run" / "config.json").read_text(encoding="utf-8"))
        assert card["training"].pop("seconds") > 0
        told: dict[str, Any] = card["training"] | card["scores"]
        return told

    before = story()
    heedful.train(out=tmp_path / "run", resume=True, quiet=True)  # nothing is left to do
    assert story() == before
    assert before["pairs"] > 0
    assert before["kept_at"] == before["steps"] == 7


def test_a_run_cannot_go_back(prose_text: Text, tmp_path: Path) -> None:
    begun: dict[str, Any] = {**prose_text.options, "set": TINY}
    heedful.train(out=tmp_path / "run", steps=5, threads=1, quiet=True, **begun)
    with pytest.raises(RecipeError, match="is at step 5, past the 3 asked for"):
        heedful.train(out=tmp_path / "run", resume=True, steps=3, quiet=True)

"""Models trained on the same data and time, and the report of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from heedful.comparison.asked import check_names
from heedful.demo.corpus import generate
from heedful.demo.judge import pronoun_right
from heedful.errors import InputError
from heedful.models.config import KINDS, NOT_KINDS

from ..proc import needs_proc
from ..trained import (
    Command,
    Text,
    is_told_briefly,
    run,
    sentences,
    settings,
    start,
    write_pairs,
)
from ..waiting import wait_until

SMALL = settings(
    "model.n_layers=1", "model.d_model=16", "training.batch_tokens=512",
    "training.validation_lines=10", "decoding.beam=1",
)  # fmt: skip


def flags(out: Path, text: Text, models: str, steps: int = 12) -> list[str]:
    return ["compare", "--out", str(out), *text.flags, "--models", models, "--steps", str(steps),
            "--threads", "1", *SMALL]  # fmt: skip


def slow_flags(out: Path, text: Text, steps: int) -> list[str]:
    """A checkpoint at every step: slow enough that a member can be met at work."""
    return [*flags(out, text, "rnn,conv", steps=steps), *settings("training.checkpoint_every=1")]


def wait_for(process: subprocess.Popen[str], out: Path, name: str) -> None:
    """Until this member trains."""
    wait_until(
        lambda: process.poll() is not None or any(out.glob(f"runs/{name}/checkpoints/step-*")),
        patience=300,
    )
    assert process.poll() is None


@pytest.fixture(scope="module")
def compared(prose_text: Text, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    out = tmp_path_factory.mktemp("compared") / "report"
    command = flags(out, prose_text, ",".join(KINDS))
    answer = run(*command, patience=500)  # five trainings, each in a process that loads torch
    assert answer.code == 0, answer.err
    return out, command


def test_all_are_in_the_report(compared: tuple[Path, list[str]]) -> None:
    out, _ = compared
    report = (out / "report.md").read_text(encoding="utf-8")
    figures = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert [member["name"] for member in figures["members"]] == list(KINDS)
    for member in figures["members"]:
        assert f"**{member['name']}**" in report
        assert member["training_flop"] > 0
        assert (out / member["alignment"]).exists()
        assert "tok:13a" in member["bleu"]["signature"]
    shown = {member["name"]: member["alignment_of"] for member in figures["members"]}
    assert "gradient saliency" in shown.pop("rnn")
    assert set(shown.values()) == {"cross-attention"}
    assert figures["comparison"]["baseline"] == "rnn"
    assert set(figures["bleu_by_length"]["bleu"]) == set(KINDS)
    assert (out / "pictures" / "bleu-by-length.png").exists()


def test_all_learn_from_the_same_pieces(compared: tuple[Path, list[str]]) -> None:
    out, _ = compared
    cards = [
        json.loads((out / "runs" / name / "config.json").read_text(encoding="utf-8"))
        for name in KINDS
    ]
    assert all(card["tokenizers"] == cards[0]["tokenizers"] for card in cards)
    assert [card["model"]["kind"] for card in cards] == list(KINDS)
    assert {card["training"]["steps"] for card in cards} == {12}


def test_what_is_done_is_not_done_again(compared: tuple[Path, list[str]]) -> None:
    out, command = compared
    kept = {path: path.stat().st_mtime_ns for path in out.glob("runs/*/model.safetensors")}
    assert len(kept) == len(KINDS)
    (out / "report.md").unlink()
    assert run(*command).code == 0
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert (out / "report.md").exists()


def test_another_comparison_needs_another_folder(
    compared: tuple[Path, list[str]], command: Command
) -> None:
    _, flags = compared
    answer = command(*flags, "--set", "model.dropout=0.5")
    assert is_told_briefly(answer)
    assert "choose another --out" in answer.err
    assert "another comparison (--set=model.dropout=0.5 now): give" in answer.err


def test_other_threads_are_another_comparison(
    compared: tuple[Path, list[str]], command: Command
) -> None:
    """Those who come later would have more time than the others."""
    _, flags = compared
    flags = [*flags]
    flags[flags.index("--threads") + 1] = "2"
    answer = command(*flags)
    assert is_told_briefly(answer)
    assert "--threads=1 then; --threads=2 now" in answer.err


def test_interrupted_it_goes_on(prose_text: Text, tmp_path: Path) -> None:
    """The member at hand, here the second, saves itself; the same command ends what was begun."""
    out = tmp_path / "report"
    command = slow_flags(out, prose_text, steps=200)
    with start(*command) as process:
        wait_for(process, out, "conv")
        process.send_signal(signal.SIGTERM)
        told, _ = process.communicate(timeout=300)
    assert process.returncode == 128 + signal.SIGTERM
    assert "goes on by the same command: heedful compare --out" in " ".join(told.split())
    assert "all is saved." in told
    assert "--resume" not in told  # or one member alone would go on
    begun = max(int(path.name[5:]) for path in out.glob("runs/conv/checkpoints/step-*"))
    assert 0 < begun < 200
    answer = run(*command)
    assert answer.code == 0, answer.err
    assert f"going on from step {begun}" in answer.out


def test_two_at_once_are_told(prose_text: Text, tmp_path: Path) -> None:
    out = tmp_path / "report"
    command = slow_flags(out, prose_text, steps=100_000)  # never done by itself
    with start(*command) as process:
        wait_for(process, out, "rnn")
        busy = run(*command)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=300)
    assert is_told_briefly(busy)
    assert "another process is training" in busy.err


def test_text_that_has_changed_is_told(tmp_path: Path) -> None:
    text = write_pairs(tmp_path, sentences()[:100])
    command = flags(tmp_path / "report", text, "conv")
    assert run(*command).code == 0
    text.source.write_text(text.source.read_text(encoding="utf-8") + "One more.\n")
    text.target.write_text(text.target.read_text(encoding="utf-8") + "Unu pli.\n")
    answer = run(*command)
    assert is_told_briefly(answer)
    assert "(other text, or it has changed)" in answer.err


def test_a_member_that_was_trained_anew_is_judged_anew(
    compared: tuple[Path, list[str]],
) -> None:
    out, command = compared
    kept = out / "members" / "conv.json"
    before = json.loads(kept.read_text(encoding="utf-8"))
    kept.write_text(json.dumps(before | {"weights_digest": "of others"}), encoding="utf-8")
    answer = run(*command)
    assert answer.code == 0, answer.err
    assert "judging conv" in answer.out
    assert "judging rnn" not in answer.out
    assert (
        json.loads(kept.read_text(encoding="utf-8"))["weights_digest"] == (before["weights_digest"])
    )


@needs_proc
def test_a_member_that_dies_does_not_take_the_others_down(prose_text: Text, tmp_path: Path) -> None:
    out = tmp_path / "report"
    with start(*slow_flags(out, prose_text, steps=200)) as process:
        wait_for(process, out, "rnn")
        of_parent = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        (child,) = map(int, of_parent.read_text().split())
        os.kill(child, signal.SIGKILL)
        process.communicate(timeout=300)
    assert process.returncode == 1
    figures = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert list(figures["failed"]) == ["rnn"]
    assert [member["name"] for member in figures["members"]] == ["conv"]


def test_the_demo_tells_what_it_means(tmp_path: Path) -> None:
    out = tmp_path / "report"
    command = ["compare", "--demo", "fr", "--out", str(out), "--models", "luong", "--steps", "5",
               "--threads", "1", *SMALL, "--set", "decoding.max_length=12"]  # fmt: skip
    answer = run(*command)
    assert answer.code == 0, answer.err
    member = json.loads((out / "members" / "luong.json").read_text(encoding="utf-8"))
    examples = generate("fr", seed=1).test
    assert member["sources"] == [example.source for example in examples]
    right = [
        pronoun_right(example, text)
        for example, text in zip(examples, member["texts"], strict=True)
        if example.decisive
    ]
    assert member["pronouns_right"] == pytest.approx(100 * sum(right) / len(right))
    report = (out / "report.md").read_text(encoding="utf-8")
    assert "pronouns right" in report
    elle = sum(e.referent.gender == "f" for e in examples if e.decisive)
    commoner = 100 * max(elle, len(right) - elle) / len(right)
    assert 50 < commoner < 60
    assert f"Always the same answer would be right in {commoner:.1f} %" in report
    kept = {path: path.stat().st_mtime_ns for path in out.glob("text/*")}
    other = run(*command, "--seed", "2")
    assert "choose another --out" in other.err
    assert {path: path.stat().st_mtime_ns for path in out.glob("text/*")} == kept


def test_a_seed_of_nought_is_a_seed_too(prose_text: Text, tmp_path: Path) -> None:
    out = tmp_path / "report"
    data = ["--seed", "0", "--data", str(tmp_path / "data")]
    assert run(*flags(out, prose_text, "conv"), *data).code == 0


def test_settings_that_all_members_have(prose_text: Text, tmp_path: Path) -> None:
    out = tmp_path / "report"
    assert run(*flags(out, prose_text, "rnn,luong"), "--set", "model.cell=gru").code == 0
    recipe = (out / "runs" / "luong" / "recipe.toml").read_text(encoding="utf-8")
    assert 'cell = "gru"' in recipe


def test_one_that_fails_does_not_take_the_others_down(prose_text: Text, tmp_path: Path) -> None:
    out = tmp_path / "report"
    (out / "runs").mkdir(parents=True)
    (out / "runs" / "rnn").write_text("in the way")
    answer = run(*flags(out, prose_text, "rnn,luong"))
    assert answer.code == 1
    assert f"1 of 2 failed: rnn; {out / 'report.md'} says why" in answer.err
    figures = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert list(figures["failed"]) == ["rnn"]
    assert [member["name"] for member in figures["members"]] == ["luong"]
    assert "Not compared" in (out / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("extra", "told"),
    [
        (["--models", "rnn,luon"], "did you mean 'luong'"),
        (["--models", "rnn,rnn"], "each is compared once"),
        (["--model", "rnn"], "name them with --models"),
        (["--resume"], "leave --resume out"),
        (["--test-source", "x"], "go together"),
        (["--demo", "fr"], "text of its own"),
        (["--set", "model.context=every"], "it is one of rnn, not of bahdanau"),
    ],
)
def test_what_cannot_be_compared_is_told(
    extra: list[str], told: str, prose_text: Text, tmp_path: Path, command: Command
) -> None:
    answer = command("compare", "--out", tmp_path / "x", *prose_text.flags, *extra)
    assert is_told_briefly(answer)
    assert told in answer.err
    assert not (tmp_path / "x").exists()


def test_nothing_to_train_on_is_told(tmp_path: Path, command: Command) -> None:
    answer = command("compare", "--out", tmp_path / "x")
    assert is_told_briefly(answer)
    assert "--demo" in answer.err


def test_names() -> None:
    assert check_names([" conv", "rnn"], KINDS, NOT_KINDS) == ("conv", "rnn")
    with pytest.raises(InputError, match="not known"):
        check_names(["x"], KINDS, NOT_KINDS)
    with pytest.raises(InputError, match="lstm is a cell"):
        check_names(["lstm"], KINDS, NOT_KINDS)

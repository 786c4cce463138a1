"""`heedful translate`: lines in, lines out, for ever."""

from __future__ import annotations

import io
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from torch import Tensor

from heedful.decoding.search import search
from heedful.engines import torch_engine
from heedful.streaming import _count_lines
from heedful.translator import Translator

from .proc import needs_proc, state_of
from .trained import Command, is_told_briefly, run, start
from .waiting import wait_until

ONE = "The cat sees the dog here."
TWO = "The bird loves the child now."


def feed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_a_line_for_a_line(
    prose_run: Path, prose: Translator, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [TWO, "", ONE, f"{ONE}\u2028{TWO}", f"{ONE}\r{TWO}", "\x85", ONE + " " + TWO, "  "]
    feed(monkeypatch, "\n".join(lines))  # the last has no end
    answer = command("translate", prose_run)
    assert (answer.code, answer.err) == (0, "")
    found = answer.out.split("\n")
    assert found[-1] == ""
    found = found[:-1]
    assert len(found) == len(lines)
    assert found[0] == prose.translate(TWO).text
    assert found[2] == prose.translate(ONE).text
    assert [found[1], found[5], found[7]] == ["", "", ""]
    assert "\r" not in answer.out


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_from_file_to_file(
    prose_run: Path, prose: Translator, command: Command, tmp_path: Path, encoding: str
) -> None:
    (tmp_path / "in").write_bytes(f"{ONE}\r\n\r\n{TWO}\r\n".encode(encoding))
    answer = command(
        "translate", prose_run, "--input", tmp_path / "in", "--output", tmp_path / "out"
    )
    assert answer.out == ""
    expected = f"{prose.translate(ONE).text}\n\n{prose.translate(TWO).text}\n"
    assert (tmp_path / "out").read_bytes().decode() == expected


def test_the_language_of_the_model_says_which_encoding_it_may_be(
    prose_run: Path, command: Command, tmp_path: Path
) -> None:
    (tmp_path / "in").write_bytes("Where is the café?\n".encode("latin-1"))
    answer = command("translate", prose_run, "--input", tmp_path / "in")
    assert is_told_briefly(answer)
    assert "line 1, byte 17 (0xe9) is not UTF-8; it looks like cp1252" in answer.err


def test_json_and_many_of_each(
    prose_run: Path, prose: Translator, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, f"{ONE}\n{TWO}\n")
    answer = command("translate", prose_run, "--nbest", 2, "--json")
    found = [json.loads(line) for line in answer.out.splitlines()]
    assert [f["line"] for f in found] == [1, 1, 2, 2]
    best = prose.translate(ONE, nbest=2).nbest
    assert [f["text"] for f in found[:2]] == [t.text for t in best]
    assert [f["tokens"] for f in found[:2]] == [list(t.tokens) for t in best]
    assert found[0]["score"] == pytest.approx(best[0].score, abs=1e-4)
    assert found[0]["score"] >= found[1]["score"]


def test_options_arrive(
    prose_run: Path, prose: Translator, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def say(*options: object) -> str:
        feed(monkeypatch, f"{ONE} {TWO}\n")
        return command("translate", prose_run, *options).out.removesuffix("\n")

    line = f"{ONE} {TWO}"
    assert say("--beam", 1) == prose.translate(line, beam=1).text
    with pytest.warns(UserWarning, match="line 1: .* translated in pieces"):
        whole = prose.translate(line, split_sentences=False).text
    assert say("--no-split") == whole
    assert say("--prefix", "La bir").startswith("La bir")
    sampled = prose.translate(line, sample=True, seed=3, temperature=2.0, top_k=20, top_p=0.9).text
    flags = "--sample", "--seed", 3, "--temperature", 2, "--top-k", 20, "--top-p", 0.9
    assert say(*flags) == sampled
    assert say("--max-length", 2) == prose.translate(line, max_length=2).text
    scored = prose.translate(line, normalise="gnmt", alpha=0.3, stop="exact").text
    assert say("--normalise", "gnmt", "--alpha", 0.3, "--stop", "exact") == scored


def test_what_is_cut_is_said(
    chars_run: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, "abc\n" * 4 + "a" * 50 + "\nabc\n")
    answer = command("translate", chars_run)
    assert answer.err == "heedful: line 5: cut: 50 tokens, the model holds 8\n"
    assert len(answer.out.splitlines()) == 6


def test_bad_options_and_files(prose_run: Path, command: Command, tmp_path: Path) -> None:
    answer = command("translate", prose_run, "--beam", 0)
    assert is_told_briefly(answer)
    answer = command("translate", prose_run, "--patience", 0.5)
    assert is_told_briefly(answer)
    assert "patience = 0.5: input should be greater than or equal to 1" in answer.err
    answer = command("translate", prose_run, "--input", tmp_path / "none")
    assert is_told_briefly(answer)
    assert "none: there is no such file" in answer.err
    bad = tmp_path / "bad"
    bad.write_bytes(f"{ONE}\n".encode() + b"\xff\n")
    answer = command("translate", prose_run, "--input", bad)
    assert is_told_briefly(answer)
    assert "bad: line 2, byte 1 (0xff)" in answer.err
    answer = command("translate", prose_run, "--input", bad, "--output", tmp_path / "no" / "out")
    assert is_told_briefly(answer)


def test_nothing_is_lost_to_a_bad_input(prose_run: Path, command: Command, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text(f"{ONE}\n")
    arguments = "translate", prose_run, "--output", kept, "--input"
    assert is_told_briefly(command(*arguments, tmp_path / "none"))
    assert kept.read_text() == f"{ONE}\n"
    answer = command(*arguments, kept)  # onto itself
    assert is_told_briefly(answer)
    assert f"{kept} is the input too" in answer.err
    assert kept.read_text() == f"{ONE}\n"


def test_batches_hold_so_many_tokens(
    prose_run: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what is written does not hang on it."""
    sizes: list[int] = []

    def watched(model: Any, source: Tensor, *more: Any, **options: Any) -> Any:
        sizes.append(source.numel())
        return search(model, source, *more, **options)

    monkeypatch.setattr(torch_engine, "search", watched)
    said = []
    for tokens in (46, 4000):
        feed(monkeypatch, f"{ONE}\n{TWO}\n" * 5)
        flags = "--beam", 2, "--batch-tokens", tokens, "--engine", "torch", "--threads", 1
        answer = command("translate", prose_run, *flags)
        assert (answer.code, answer.err) == (0, "")
        said.append(answer.out)
        assert max(sizes) <= tokens // 2  # two hypotheses of each
        assert (len(sizes) == 1) == (tokens == 4000)
        sizes.clear()
    assert said[0] == said[1]
    assert len(said[0].splitlines()) == 10


@pytest.mark.parametrize(
    "line", [("cat " * 5000).strip(), "x" * 20_000, "\u0301" * 20_000], ids=len
)
def test_a_very_long_line_is_one_line(
    prose_run: Path, prose: Translator, command: Command, tmp_path: Path, line: str
) -> None:
    assert len(line) > 19_990
    (tmp_path / "in").write_text(f"{ONE}\n{line}\n{TWO}\n", encoding="utf-8")
    flags = "--beam", 1, "--max-length", 5, "--threads", 1
    answer = command("translate", prose_run, "--input", tmp_path / "in", *flags)
    assert answer.code == 0, answer.err
    assert answer.err.startswith("heedful: line 2: ")
    found = answer.out.removesuffix("\n").split("\n")
    short = [t.text for t in prose.translate([ONE, TWO], beam=1, max_length=5)]
    assert [found[0], *found[2:]] == short
    assert found[1]


def test_a_bad_line_leaves_what_was_there_and_what_was_translated(
    prose_run: Path, prose: Translator, command: Command, tmp_path: Path
) -> None:
    kept, bad, partial = tmp_path / "kept", tmp_path / "bad", tmp_path / ".kept.partial"
    kept.write_text("old\n")
    arguments = "translate", prose_run, "--output", kept, "--input", bad
    bad.write_bytes(b"\xff\n")
    assert is_told_briefly(command(*arguments))
    assert not partial.exists()
    bad.write_bytes(f"{ONE}\n".encode() + b"\xff\n")
    answer = command(*arguments)
    assert is_told_briefly(answer)
    assert "bad: line 2" in answer.err
    assert f"is in {partial}\n" in answer.err
    assert partial.read_text() == prose.translate(ONE).text + "\n"
    assert kept.read_text() == "old\n"


def test_a_file_keeps_its_mode_and_the_links_to_it(
    prose_run: Path, prose: Translator, command: Command, tmp_path: Path
) -> None:
    (tmp_path / "in").write_text(f"{ONE}\n")
    (tmp_path / "out").write_text("old\n")
    (tmp_path / "out").chmod(0o600)
    (tmp_path / "link").symlink_to("out")
    command("translate", prose_run, "--input", tmp_path / "in", "--output", tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "out").read_text() == prose.translate(ONE).text + "\n"
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o600
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in", "link", "out"]


def test_a_fault_of_the_input_is_not_the_outputs(
    prose_run: Path, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lines(path: str, language: str | None) -> Iterator[str]:
        yield ONE
        raise OSError("the disk has gone")

    monkeypatch.setattr("heedful.streaming.read_lines", lines)
    answer = command("translate", prose_run, "--output", tmp_path / "out")
    assert is_told_briefly(answer)
    assert answer.err.endswith("heedful: the disk has gone\n")


def test_an_interrupt_tells_where_the_lines_are(prose_run: Path, tmp_path: Path) -> None:
    out, partial = tmp_path / "out", tmp_path / ".out.partial"
    out.write_text("old\n")
    with start("translate", prose_run, "--output", out, stdin=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stderr
        process.stdin.write(f"{ONE}\n")
        process.stdin.flush()
        wait_until(lambda: partial.exists() and partial.read_text())
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr.read() == f"heedful: what was translated before is in {partial}\n"
    assert out.read_text() == "old\n"


def test_a_pipe_with_a_name_gets_each_line_at_once(
    prose_run: Path, prose: Translator, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with (
        start("translate", prose_run, "--output", pipe, stdin=subprocess.PIPE) as process,
        pipe.open(encoding="utf-8") as out,
    ):
        assert process.stdin
        for line in (ONE, TWO):
            process.stdin.write(line + "\n")
            process.stdin.flush()
            assert out.readline() == prose.translate(line).text + "\n"
    assert process.returncode == 0
    assert [p.name for p in tmp_path.iterdir()] == ["pipe"]


def answer_within(process: subprocess.Popen[str], seconds: float) -> bytes:
    assert process.stdout
    ready, _, _ = select.select([process.stdout], [], [], seconds)
    assert ready, "no answer"
    return os.read(process.stdout.fileno(), 10_000)


def test_an_endless_pipe_is_answered_line_by_line_until_the_reader_goes(
    prose_run: Path, prose: Translator
) -> None:
    with start("translate", prose_run, stdin=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        for line in (ONE, TWO, "", ONE):
            process.stdin.write(line + "\n")
            process.stdin.flush()
            assert answer_within(process, 60).decode() == prose.translate(line).text + "\n"
        process.stdout.close()  # as `head` does
        process.stdin.write(f"{ONE}\n")
        process.stdin.flush()  # and stays open
        assert process.wait(60) == 0
        assert process.stderr.read() == ""


@needs_proc
def test_an_interrupt_while_waiting_is_quiet(prose_run: Path) -> None:
    with start("translate", prose_run, stdin=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stderr
        process.stdin.write(f"{ONE}\n")
        process.stdin.flush()
        answer_within(process, 60)
        wait_until(lambda: state_of(process.pid) == "S")  # it waits for the next line
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr.read() == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="machine: no /dev/full here")
def test_a_full_disk_is_told(prose_run: Path, tmp_path: Path) -> None:
    (tmp_path / "in").write_text(f"{ONE}\n")
    with (
        Path("/dev/full").open("w") as full,
        start("translate", prose_run, "--input", tmp_path / "in", stdout=full) as process,
    ):
        assert process.stderr
        told = process.stderr.read()
    assert process.returncode != 0
    assert "No space left" in told
    assert "Traceback" not in told
    answer = run("translate", prose_run, "--input", tmp_path / "in", "--output", "/dev/full")
    assert is_told_briefly(answer)
    assert "/dev/full could not be written: [Errno 28] No space left" in answer.err


def test_the_lines_of_a_pipe_are_not_counted(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert _count_lines(str(tmp_path / "pipe")) is None
    (tmp_path / "file").write_text("a\nb\n")
    assert _count_lines(str(tmp_path / "file")) == 2

"""`heedful train`, as it is called when nothing goes wrong."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

import heedful

from ..trained import TINY, Command, Text, backwards, settings, write_pairs

FLAGS = (
    "--source-tokens", "chars", "--target-tokens", "chars", "--steps", 2, "--threads", 1,
    *settings(*TINY),
)  # fmt: skip
PAIRS = backwards(70)
ASIDE = PAIRS[60:]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The text as two files, and as one with tabs, for training and for validation."""
    made = tmp_path_factory.mktemp("command")
    for name, pairs in (("train", PAIRS[:60]), ("valid", ASIDE)):
        write_pairs(made / name, pairs)
        lines = "".join(f"{source}\t{target}\n" for source, target in pairs)
        (made / f"{name}.tsv").write_text(lines)
    return made


def text(folder: Path, name: str) -> Text:
    return Text(folder / name / "text.source", folder / name / "text.target")


@pytest.fixture(scope="module")
def from_two_files(folder: Path) -> bytes:
    """The weights of a run on the same text."""
    valid = text(folder, "valid")
    heedful.train(
        out=folder / "run", **text(folder, "train").options, quiet=True, set=TINY,
        valid_source=valid.source, valid_target=valid.target,
        source_tokens="chars", target_tokens="chars", steps=2, threads=1,
    )  # fmt: skip
    return (folder / "run" / "model.safetensors").read_bytes()


def test_pairs_of_one_file(
    folder: Path, from_two_files: bytes, command: Command, tmp_path: Path
) -> None:
    out, valid = tmp_path / "run", text(folder, "valid")
    answer = command(
        "train", "--pairs", folder / "train.tsv", "--valid-source", valid.source,
        "--valid-target", valid.target, "--out", out, "--quiet", *FLAGS,
    )  # fmt: skip
    assert (answer.code, answer.out, answer.err) == (0, "", "")
    assert (out / "model.safetensors").read_bytes() == from_two_files


def test_validation_pairs_of_one_file(
    folder: Path, from_two_files: bytes, command: Command, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    both = *text(folder, "train").flags, "--valid-pairs", folder / "valid.tsv"
    answer = command("train", *both, "--out", out, *FLAGS)
    assert answer.code == 0, answer.err
    assert "60 pairs to train on" in answer.out
    assert "10 given for validation" in answer.out
    assert (out / "model.safetensors").read_bytes() == from_two_files


def test_the_last_line_says_how_good_it_is_and_how_to_translate(
    folder: Path, command: Command, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    answer = command("train", "--pairs", folder / "train.tsv", "--out", out, *FLAGS)
    last = answer.out.rstrip("\n").split("\n")[-1]
    scores = heedful.load(out).card.scores
    good = f"done: BLEU {scores['bleu']:.1f}, chrF {scores['chrf']:.1f} with beam 4 on 10 "
    assert last.startswith(good)
    told, _, wanted = last.partition(" Translate with: ")
    assert " of 2, in " in told
    name, *arguments = shlex.split(wanted)
    assert name == "heedful"
    (tmp_path / "in").write_text("abc\nfed\n")
    answer = command(*arguments, "--input", tmp_path / "in")  # and it is no idle promise
    assert answer.code == 0, answer.err
    assert len(answer.out.splitlines()) == 2


def test_a_header_and_blank_lines_are_left_out_and_told(
    folder: Path, from_two_files: bytes, command: Command, tmp_path: Path
) -> None:
    """As a spreadsheet saves "Unicode text"."""
    pairs = "".join(f"{source}\t{target}\r\n" for source, target in PAIRS[:60])
    (tmp_path / "table.txt").write_bytes(f"Source\tTarget\r\n{pairs}\r\n \r\n".encode("utf-16"))
    out = tmp_path / "run"
    given = "--pairs", tmp_path / "table.txt", "--valid-pairs", folder / "valid.tsv"
    answer = command("train", *given, "--out", out, *FLAGS)
    assert answer.code == 0, answer.err
    assert "60 pairs to train on" in answer.out
    assert "table.txt (Source TAB Target), which looks like a header" in " ".join(
        answer.out.split()
    )
    assert "left out: 2 pairs with a blank side" in answer.out
    assert (out / "model.safetensors").read_bytes() == from_two_files

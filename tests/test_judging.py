"""`heedful evaluate`."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path

import pytest

import heedful
from heedful.batches.prepared import open_prepared
from heedful.planning import Translation
from heedful.translator import Translator

from .trained import TINY, Command, is_told_briefly, sentences, write_pairs


def test_json_holds_scores_with_their_signatures(
    prose_run: Path, command: Command, tmp_path: Path
) -> None:
    text = write_pairs(tmp_path, sentences()[400:])  # that it was not trained on
    files = "--source", text.source, "--reference", text.target
    answer = command("evaluate", prose_run, *files, "--json", "--beam", 1)
    assert answer.code == 0
    assert answer.err == ""
    report = json.loads(answer.out)
    assert report["n_lines"] == 32
    for name in ("bleu", "chrf"):
        assert 0 <= report[name]["value"] <= 100.001  # sums of floats
        assert "version:" in report[name]["signature"]
    assert report["exact_match"]["value"] + report["line_error_rate"]["value"] == 100


def test_lines_that_are_tokenised_already(
    prose_run: Path, command: Command, tmp_path: Path
) -> None:
    text = write_pairs(tmp_path, sentences()[400:404])
    files = "--source", text.source, "--reference", text.target
    answer = command("evaluate", prose_run, *files, "--json", "--tokenize", "none")
    assert "tok:none" in json.loads(answer.out)["bleu"]["signature"]


def test_words_have_an_error_rate(command: Command, tmp_path: Path) -> None:
    """Edits over words of the reference, here of translations that are known."""
    lines = [("one", "a b c"), ("two", "a b")]
    text = write_pairs(tmp_path, [("x " * (i % 5 + 1), "a b c " * (i % 3 + 1)) for i in range(40)])
    heedful.train(
        out=tmp_path / "run", **text.options, source_tokens="words", target_tokens="words",
        steps=1, threads=1, quiet=True, set=TINY,
    )  # fmt: skip
    text = write_pairs(tmp_path / "test", lines)
    flags = "--source", text.source, "--reference", text.target, "--threads", 1
    with pytest.MonkeyPatch.context() as patch:
        said = [Translation("a c", 0.0, ()), Translation("b b x", 0.0, ())]
        patch.setattr(Translator, "translate", lambda *_, **__: said)
        report = json.loads(command("evaluate", tmp_path / "run", *flags, "--json").out)
        shown = command("evaluate", tmp_path / "run", *flags).out
    assert report["word_error_rate"]["value"] == pytest.approx(100 * (1 + 2) / 5)
    assert report["line_error_rate"]["value"] == 100
    assert "word error rate" in shown
    assert "60.0" in shown


def test_sentences_have_no_error_rate_of_words(
    prose_run: Path, command: Command, tmp_path: Path
) -> None:
    text = write_pairs(tmp_path, sentences()[400:403])
    flags = "--source", text.source, "--reference", text.target, "--beam", 1
    assert json.loads(command("evaluate", prose_run, *flags, "--json").out)["word_error_rate"] is (
        None
    )


def test_what_is_cut_is_said(
    chars_run: Path, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heedful.judging.BLOCK", 3)
    text = write_pairs(tmp_path, [("hgfedcba", "x")] * 4 + [("a" * 50, "x")])
    files = "--source", text.source, "--reference", text.target
    answer = command("evaluate", chars_run, *files)
    assert answer.err == "heedful: line 5: cut: 50 tokens, the model holds 8\n"


def test_runs_are_compared(prose_run: Path, command: Command, tmp_path: Path) -> None:
    text = write_pairs(tmp_path, sentences()[400:])
    other = shutil.copytree(prose_run, tmp_path / "other")
    files = "--source", text.source, "--reference", text.target, "--beam", 1
    answer = command("evaluate", prose_run, other, *files, "--json")
    result = json.loads(answer.out)
    assert list(result["runs"]) == [str(prose_run), str(other)]
    same = [result["runs"][str(run)]["chrf"]["value"] for run in (prose_run, other)]
    assert same[0] == same[1]
    assert result["comparison"]
    shown = command("evaluate", prose_run, other, *files).out
    assert "BLEU" in shown
    assert "chrF" in shown


def test_lines_that_it_was_trained_on_are_counted(
    prose_run: Path, command: Command, tmp_path: Path
) -> None:
    aside = {source for source, _ in open_prepared(prose_run / "data").valid_text}
    seen = [pair for pair in sentences()[:400] if pair[0] not in aside][:5]
    text = write_pairs(tmp_path, [(f" {s} ", t) for s, t in seen] + sentences()[400:403])
    answer = command(
        "evaluate", prose_run, "--source", text.source, "--reference", text.target, "--beam", 1
    )
    assert answer.code == 0
    assert "warning: 5 of 8 source lines also stand in the training data" in answer.err


def test_a_run_is_not_compared_with_itself(
    prose_run: Path, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = write_pairs(tmp_path, sentences()[400:403])
    monkeypatch.chdir(prose_run.parent)
    for other in (f"./{prose_run.name}", prose_run):
        answer = command(
            "evaluate", prose_run.name, other, "--source", text.source, "--reference", text.target
        )
        assert is_told_briefly(answer)
        assert f"{prose_run.name} and" in answer.err
        assert "are the same run" in answer.err


def test_references_from_standard_input(
    prose_run: Path, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = write_pairs(tmp_path, sentences()[400:403])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.target.read_bytes())))
    answer = command(
        "evaluate", prose_run, "--source", text.source, "--reference", "-", "--json", "--beam", 1
    )
    assert (answer.code, answer.err) == (0, "")
    assert json.loads(answer.out)["n_lines"] == 3


def test_a_folder_with_brackets_in_its_name(
    prose_run: Path, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = write_pairs(tmp_path, sentences()[400:403])
    shutil.copytree(prose_run, tmp_path / "[q] x")
    monkeypatch.chdir(tmp_path)
    files = "--source", text.source, "--reference", text.target, "--beam", 1
    assert command("evaluate", "[q] x", *files).out.splitlines()[0].strip() == "[q] x"


def test_what_cannot_be_judged(prose_run: Path, command: Command, tmp_path: Path) -> None:
    text = write_pairs(tmp_path, sentences()[:3])
    text.target.write_text("one\n")
    files = "--source", text.source, "--reference", text.target
    answer = command("evaluate", prose_run, *files)
    assert is_told_briefly(answer)
    assert "3 lines and 1 line" in answer.err
    assert is_told_briefly(command("evaluate", *files))
    answer = command("evaluate", prose_run, "--source", text.source, "--reference", "none")
    assert is_told_briefly(answer)


@pytest.mark.parametrize("beam", [0, -1])
def test_a_beam_out_of_range(prose_run: Path, command: Command, tmp_path: Path, beam: int) -> None:
    text = write_pairs(tmp_path, sentences()[:3])
    files = "--source", text.source, "--reference", text.target
    assert is_told_briefly(command("evaluate", prose_run, *files, "--beam", beam))

"""`heedful evaluate`."""

from __future__ import annotations

import io
import json
import shutil
import sys
import unicodedata
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
    for name in ("bleu", "chrf", "ter"):
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
    text = write_pairs(tmp_path, [(f"x{i}", "a b c " * (i % 3 + 1)) for i in range(40)])
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
    assert list(result["systems"]) == [str(prose_run), str(other)]
    same = [result["systems"][str(run)]["chrf"]["value"] for run in (prose_run, other)]
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


def write_lines(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_a_file_of_translations_needs_no_run(command: Command, tmp_path: Path) -> None:
    """Whatever its normalisation, and that of the references."""
    lines = "Zwei Männer grüßen höflich.", "Ein Mädchen füttert müde Vögel."
    wrong = [line.replace("müde", "zwei") for line in lines]
    reference = write_lines(tmp_path / "reference", *lines)
    hypothesis = write_lines(tmp_path / "hypothesis", *wrong)
    files = "--hypothesis", hypothesis, "--reference"
    answer = command("evaluate", *files, reference, "--json")
    assert (answer.code, answer.err) == (0, "")
    report = json.loads(answer.out)
    assert report["exact_match"]["value"] == 50
    assert report["ter"]["value"] == pytest.approx(100 / 9)
    assert report["word_error_rate"] is None
    decomposed = write_lines(
        tmp_path / "decomposed", *(unicodedata.normalize("NFD", line) for line in lines)
    )
    assert command("evaluate", *files, decomposed, "--json").out == answer.out


def test_options_of_a_file_of_translations(command: Command, tmp_path: Path) -> None:
    reference = write_lines(tmp_path / "reference", "a b c d")
    hypothesis = write_lines(tmp_path / "hypothesis", "a b x d")
    files = "--hypothesis", hypothesis, "--reference", reference, "--json"
    report = json.loads(command("evaluate", *files, "--words", "--no-ter").out)
    assert report["word_error_rate"]["value"] == 25
    assert report["ter"] is None
    report = json.loads(command("evaluate", *files, "--tokenize", "char").out)
    assert "tok:char" in report["bleu"]["signature"]


def test_files_of_translations_are_compared(command: Command, tmp_path: Path) -> None:
    lines = [target for _, target in sentences()[:30]]
    reference = write_lines(tmp_path / "reference", *lines)
    good = write_lines(tmp_path / "good", *lines)
    bad = write_lines(tmp_path / "bad", *(line.replace("La", "Lu") for line in lines))
    files = "--hypothesis", bad, "--hypothesis", good, "--reference", reference
    result = json.loads(command("evaluate", *files, "--json").out)
    assert list(result["systems"]) == [str(bad), str(good)]
    metrics = {metric["name"]: metric for metric in result["comparison"]["metrics"]}
    assert list(metrics) == ["BLEU", "chrF", "TER"]
    assert metrics["BLEU"]["results"][1]["delta"] > 0
    assert metrics["TER"]["results"][1]["delta"] < 0
    assert metrics["TER"]["results"][1]["p_value"] < 0.05
    shown = command("evaluate", *files).out
    assert "lower is better" in shown


def test_a_file_of_translations_is_compared_with_a_run(
    prose_run: Path, command: Command, tmp_path: Path
) -> None:
    text = write_pairs(tmp_path, sentences()[400:])
    answer = command(
        "evaluate", prose_run, "--source", text.source, "--reference", text.target,
        "--hypothesis", text.target, "--beam", 1, "--json",
    )  # fmt: skip
    result = json.loads(answer.out)
    assert list(result["systems"]) == [str(prose_run), str(text.target)]
    assert result["systems"][str(text.target)]["exact_match"]["value"] == 100
    assert result["comparison"]["baseline"] == str(prose_run)


def test_a_note_is_shown_once_for_each_system(command: Command, tmp_path: Path) -> None:
    lines = "고양이가 방에서 잠을 잔다.", "나는 한국어를 배운다."
    first, second, reference = (
        write_lines(tmp_path / name, *lines) for name in ("first", "second", "reference")
    )
    files = "--hypothesis", first, "--hypothesis", second, "--reference", reference
    assert command("evaluate", *files).out.count("ko-mecab") == 2


def test_what_does_not_go_together(prose_run: Path, command: Command, tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "lines", "a b c d", "e f g h")
    one = write_lines(tmp_path / "one", "a b c d")
    reference = "--reference", lines

    def told(*flags: object) -> str:
        answer = command("evaluate", *flags)
        assert is_told_briefly(answer)
        return answer.err

    assert "nothing to judge" in told(*reference)
    assert "--source is for runs" in told("--hypothesis", one, "--source", one, *reference)
    assert "give them with --source" in told(prose_run, *reference)
    assert "put --hypothesis before its name" in told("--hypothesis", one, lines, *reference)
    assert "1 hypotheses and 2 references" in told("--hypothesis", one, *reference)
    assert "are the same file" in told("--hypothesis", one, "--hypothesis", one, *reference)
    assert "no such file" in told("--hypothesis", tmp_path / "none", *reference)
    assert "holds one file only" in told("--hypothesis", "-", "--reference", "-")


def test_a_tokenizer_that_is_missing_is_told_before_anything_is_translated(
    prose_run: Path, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = write_pairs(tmp_path, sentences()[400:403])
    monkeypatch.setattr("heedful.evaluation.tokenizers.find_spec", lambda name: None)
    monkeypatch.setattr("heedful.judging.load", lambda *_, **__: pytest.fail("it was loaded"))
    files = "--source", text.source, "--reference", text.target
    answer = command("evaluate", prose_run, *files, "--tokenize", "ko-mecab")
    assert is_told_briefly(answer)
    assert "pip install 'heedful[ko]'" in answer.err


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

"""A CTranslate2 folder: CTranslate2 itself, without heedful, translates with it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import ctranslate2
import numpy as np
import pytest
import sentencepiece

import heedful
from heedful.exports.ctranslate2 import write_ctranslate2
from heedful.exports.export import export_model
from heedful.exports.stored import read_stored
from heedful.text.special import BOS, PAD, UNK

from ..trained import TINY, Command, backwards, is_told_briefly, sentences, write_pairs

LINES = [source for source, _ in sentences()[380:]]


def translated(folder: Path, **options: Any) -> list[str]:
    """As its manual says."""
    tokenizer = sentencepiece.SentencePieceProcessor(model_file=str(folder / "tokenizer.model"))
    translator = ctranslate2.Translator(str(folder), intra_threads=1)
    found = translator.translate_batch(tokenizer.encode(LINES, out_type=str), **options)
    return [tokenizer.decode(answer.hypotheses[0]) for answer in found]


def test_ctranslate2_alone_translates_the_same(prose_run: Path, tmp_path: Path) -> None:
    folder = export_model(prose_run, tmp_path / "ct2", to="ctranslate2", quantize=None)
    ours = heedful.load(prose_run, engine="torch")
    for beam in (1, 4):
        expected = [t.text for t in ours.translate(LINES, beam=beam)]
        assert translated(folder, beam_size=beam) == expected


def test_marks_are_never_written_whoever_asks(prose_run: Path, tmp_path: Path) -> None:
    """By a model that would write them: heedful says in each search that it must not, others do
    not."""
    stored = read_stored(prose_run)
    bias = np.zeros(len(stored.target_tokenizer), np.float32)
    bias[[PAD, UNK, BOS]] = 50
    eager = replace(stored, weights=stored.weights | {"output.bias": bias})
    for name, for_others in (("ours", False), ("theirs", True)):
        (tmp_path / name).mkdir()
        write_ctranslate2(eager, tmp_path / name, for_others=for_others)
        stored.source_tokenizer.save(tmp_path / name / "tokenizer.model")
    expected = [t.text for t in heedful.load(prose_run).translate(LINES, beam=4)]
    assert translated(tmp_path / "theirs", beam_size=4) == expected
    assert translated(tmp_path / "ours", beam_size=4, max_decoding_length=5) != expected


@pytest.mark.parametrize("here", [".", "data/.."])
def test_from_inside_the_run(
    prose_run: Path, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch, here: str
) -> None:
    run = shutil.copytree(prose_run, tmp_path / "run")
    monkeypatch.chdir(run)
    answer = command("export", here, "--to", "ctranslate2")
    assert (answer.code, answer.err) == (0, "")
    assert (tmp_path / "run-ctranslate2" / "model.bin").exists()
    monkeypatch.chdir(tmp_path)
    assert "run-ctranslate2 is there already" in command("export", "run", "--to", "ctranslate2").err


def test_int8_is_smaller_and_still_translates(prose_run: Path, tmp_path: Path) -> None:
    whole = export_model(prose_run, tmp_path / "whole", to="ctranslate2", quantize=None)
    small = export_model(prose_run, tmp_path / "small", to="ctranslate2", quantize="int8")
    # The table of positions is not quantized: it is half of so small a model.
    assert (small / "model.bin").stat().st_size < 0.8 * (whole / "model.bin").stat().st_size
    same = sum(a == b for a, b in zip(translated(small), translated(whole), strict=True))
    assert same > 0.8 * len(LINES)


@pytest.mark.parametrize(
    "settings",
    [
        ("model.pre_norm=true",),
        ('model.positions="learned"',),
        ("text.joint=false", 'model.tie="none"'),
        ("text.joint=false", 'model.tie="two"'),
    ],
    ids=str,
)
def test_every_form_of_the_transformer(tmp_path: Path, settings: tuple[str, ...]) -> None:
    heedful.train(
        out=tmp_path / "run", **write_pairs(tmp_path, sentences()).options, steps=40, threads=1,
        set=(*TINY, "training.peak_rate=0.01", *settings), quiet=True,
    )  # fmt: skip
    ours, theirs = (
        heedful.load(tmp_path / "run", engine=engine).translate(LINES, beam=4)
        for engine in ("torch", "ctranslate2")
    )
    assert [t.tokens for t in ours] == [t.tokens for t in theirs]
    assert [t.score for t in ours] == pytest.approx([t.score for t in theirs], abs=1e-4)


def test_other_widths_are_refused_and_left_to_torch(tmp_path: Path, command: Command) -> None:
    heedful.train(
        out=tmp_path / "run", **write_pairs(tmp_path, backwards(60)).options, steps=2, threads=1,
        set=(*TINY, "model.d_k=5"), quiet=True,
    )  # fmt: skip
    for arguments in (
        ("export", tmp_path / "run", "--to", "ctranslate2"),
        ("translate", tmp_path / "run", "--engine", "ctranslate2"),
    ):
        answer = command(*arguments)
        assert is_told_briefly(answer)
        assert "d_k = 5" in answer.err
    assert heedful.load(tmp_path / "run").engine.name == "torch"

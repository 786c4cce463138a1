"""The package for Argos Translate."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from heedful.exports.sentence_ends import sentence_ends

from ..trained import Command, is_told_briefly


def test_what_is_inside(prose_run: Path, tmp_path: Path, command: Command) -> None:
    out = tmp_path / "en-eo.argosmodel"
    assert command("export", prose_run, "--to", "argos", "--out", out).code == 0
    with zipfile.ZipFile(out) as package:
        names = set(package.namelist())
        metadata = json.loads(package.read("translate-en_eo-1_0/metadata.json"))
        tokenizer = package.read("translate-en_eo-1_0/sentencepiece.model")
    top = "translate-en_eo-1_0"
    assert {f"{top}/model/model.bin", f"{top}/model/config.json", f"{top}/README.md"} <= names
    assert f"{top}/minisbd/heedful.onnx" in names
    assert tokenizer == (prose_run / "tokenizer.model").read_bytes()
    assert metadata["from_name"] == "English"
    assert (metadata["from_code"], metadata["to_code"]) == ("en", "eo")


def test_the_splitter_by_its_own_numbers() -> None:
    session = onnxruntime.InferenceSession(sentence_ends("en"))
    units = json.loads(session.get_modelmeta().custom_metadata_map["vocab"])["_unit2id"]
    text = "Hello there. It is 3.14 now! really? no. Yes。Ja"
    ids = np.array([[units.get(c, 1) for c in text] + [0]])
    scores = session.run(None, {"units": ids, "features": np.zeros((*ids.shape, 0), np.float32)})[0]
    ends = [n for n, best in enumerate(scores[0].argmax(-1)) if best == 2]
    parts = [text[a + 1 : b + 1].strip() for a, b in zip([-1, *ends], ends, strict=False)]
    assert parts == ["Hello there.", "It is 3.14 now! really? no.", "Yes。"]


@pytest.mark.parametrize("to", ["argos", "huggingface", "onnx", "ctranslate2"])
def test_what_cannot_be_exported_says_what_can(
    to: str, chars_run: Path, tmp_path: Path, command: Command
) -> None:
    answer = command("export", chars_run, "--to", to, "--out", tmp_path / "x")
    if to == "argos":
        assert is_told_briefly(answer)
        assert "one vocabulary of subwords" in answer.err
        assert "it can be to ctranslate2, huggingface, onnx" in answer.err
        assert not (tmp_path / "x").exists()
    else:
        assert answer.code == 0

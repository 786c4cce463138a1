"""A Pegasus folder that heedful exported becomes a run again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

import heedful
from heedful.errors import InputError
from heedful.exports.export import export_model
from heedful.imports.marian import import_marian
from heedful.models.config import TransformerConfig

from ..trained import LIKE_A_BUDGET, Command, Text, is_told_briefly, sentences

LINES = [*(source for source, _ in sentences()[400:]), "日 cat."]


@pytest.fixture(scope="module")
def exported(pre_norm_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder. Do not change it."""
    out = tmp_path_factory.mktemp("exported") / "pegasus"
    return export_model(pre_norm_run, out, to="huggingface", quantize=None)


def test_it_translates_as_before(pre_norm_run: Path, exported: Path, tmp_path: Path) -> None:
    before = heedful.load(pre_norm_run, threads=1)
    after = heedful.load(import_marian(exported, tmp_path / "back"), threads=1)
    assert isinstance(after.card.model, TransformerConfig)
    assert after.card.model.pre_norm
    assert after.card.training["imported"] == "Pegasus"
    for beam in (1, 4):
        found = [[t.text for t in one.translate(LINES, beam=beam)] for one in (before, after)]
        assert found[0] == found[1]


def test_exported_again_the_arrays_are_equal(exported: Path, tmp_path: Path) -> None:
    import_marian(exported, tmp_path / "back")
    again = export_model(tmp_path / "back", tmp_path / "again", to="huggingface", quantize=None)
    first, second = (load_file(path / "model.safetensors") for path in (exported, again))
    assert first.keys() == second.keys()
    for name, array in first.items():
        np.testing.assert_array_equal(array, second[name])


def test_as_transformers_saves_it(exported: Path, tmp_path: Path) -> None:
    """As after fine-tuning there."""
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    saved = tmp_path / "saved"
    for part in (AutoModelForSeq2SeqLM, AutoTokenizer):
        part.from_pretrained(exported, local_files_only=True).save_pretrained(saved)
    runs = [import_marian(path, tmp_path / f"run {path.name}") for path in (exported, saved)]
    first, second = (load_file(run / "model.safetensors") for run in runs)
    assert first.keys() == second.keys()
    assert all(np.array_equal(first[name], second[name]) for name in first)


def test_the_tokenizer_of_others_is_refused(
    exported: Path, tmp_path: Path, command: Command
) -> None:
    """Pegasus models of others have a spiece.model."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    for name in ("config.json", "model.safetensors"):
        (folder / name).write_bytes((exported / name).read_bytes())
    (folder / "spiece.model").write_bytes((exported / "source.spm").read_bytes())
    answer = command("import", folder, "--out", tmp_path / "run")
    assert is_told_briefly(answer)
    assert "vocab.json is missing" in answer.err
    assert "a Pegasus model that heedful exported" in answer.err


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("text.joint=false", "tie_word_embeddings = False"),
        ('model.positions="learned"', "model_type = 'blenderbot', 'marian' or 'pegasus' is wanted"),
    ],
)
def test_what_cannot_come_back_is_refused(
    prose_text: Text, tmp_path: Path, change: str, reason: str
) -> None:
    heedful.train(
        out=tmp_path / "run", **prose_text.options, steps=1, threads=1, quiet=True,
        set=(*LIKE_A_BUDGET, change),
    )  # fmt: skip
    folder = export_model(tmp_path / "run", tmp_path / "hf", to="huggingface", quantize=None)
    with pytest.raises(InputError, match=reason):
        import_marian(folder, tmp_path / "back")

"""Folders that cannot be imported are told of, and nothing is written."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from heedful.errors import InputError
from heedful.imports.marian import import_marian

from ..trained import Command, is_told_briefly


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"model_type": "bart"}, "model_type = 'bart'"),
        ({"decoder_layers": 3}, "layers differs"),
        ({"normalize_before": True}, "normalize_before"),
        ({"activation_function": "tanh"}, "'tanh' is not known"),
        ({"share_encoder_decoder_embeddings": False}, "share_encoder_decoder_embeddings"),
        ({"d_model": None}, "d_model: field required"),
        ({"eos_token_id": "end"}, "eos_token_id: input should be a valid integer"),
        ({"pad_token_id": 9999}, "pad_token_id = 9999"),
        ({"d_model": 22}, "model.shared.weight has the shape"),
        ({"encoder_ffn_dim": 37, "decoder_ffn_dim": 37}, "fc1.weight has the shape"),
        ({"encoder_layers": 3, "decoder_layers": 3}, "lacks model.encoder.layers.2"),
        ({"encoder_attention_heads": 3, "decoder_attention_heads": 3}, "n_heads = 3"),
        ({"vocab_size": 50}, "0 to 49 are wanted"),
        ({"num_beams": 0}, "beam"),
    ],
)
def test_what_cannot_be_imported_is_told(
    marian: tuple[Path, Any], change: dict[str, Any], told: str, tmp_path: Path, command: Command
) -> None:
    folder = tmp_path / "theirs"
    shutil.copytree(marian[0], folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(config | change), encoding="utf-8")
    answer = command("import", folder, "--out", tmp_path / "run")
    assert is_told_briefly(answer)
    assert told in answer.err
    assert not (tmp_path / "run").exists()


def test_what_cannot_be_written_is_told(
    marian: tuple[Path, Any], tmp_path: Path, command: Command
) -> None:
    (tmp_path / "file").touch()
    out = tmp_path / "file" / "run"
    answer = command("import", marian[0], "--out", out)
    assert is_told_briefly(answer)
    assert f"heedful: {out} could not be written: " in answer.err


def test_a_pickle_is_not_opened(marian: tuple[Path, Any], tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    shutil.copytree(marian[0], folder)
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(InputError, match="is a pickle"):
        import_marian(folder, tmp_path / "run")


@pytest.mark.parametrize("missing", ["config.json", "vocab.json", "source.spm", "target.spm"])
def test_what_is_missing_is_told(marian: tuple[Path, Any], missing: str, tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    shutil.copytree(marian[0], folder)
    (folder / missing).unlink()
    with pytest.raises(InputError, match=missing):
        import_marian(folder, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_mark_that_only_the_search_names(marian: tuple[Path, Any], tmp_path: Path) -> None:
    """As transformers' newer versions may store it."""
    folder = tmp_path / "theirs"
    shutil.copytree(marian[0], folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    start = config.pop("decoder_start_token_id")
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "generation_config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="decoder_start_token_id: field required"):
        import_marian(folder, tmp_path / "run")
    search = {"decoder_start_token_id": start}
    (folder / "generation_config.json").write_text(json.dumps(search), encoding="utf-8")
    import_marian(folder, tmp_path / "run")
    config["decoder_start_token_id"] = None  # says no more than if it were left out
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    import_marian(folder, tmp_path / "another run")


@pytest.mark.parametrize("name", ["decoder_start_token_id", "pad_token_id", "eos_token_id"])
def test_a_mark_that_two_files_number_differently(
    marian: tuple[Path, Any], name: str, tmp_path: Path
) -> None:
    """transformers would take the one of the search."""
    folder = tmp_path / "theirs"
    shutil.copytree(marian[0], folder)
    own = json.loads((folder / "config.json").read_text(encoding="utf-8"))[name]
    path = folder / "generation_config.json"
    for other in (7, [own, 7]):
        path.write_text(json.dumps({name: other}), encoding="utf-8")
        with pytest.raises(InputError, match=f"{name} = {own} in config.json"):
            import_marian(folder, tmp_path / "run")
    assert not (tmp_path / "run").exists()
    path.write_text(json.dumps({name: [own]}), encoding="utf-8")
    import_marian(folder, tmp_path / "run")


def test_a_vocabulary_without_the_unknown_is_told(marian: tuple[Path, Any], tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    shutil.copytree(marian[0], folder)
    words = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    words["another"] = words.pop("<unk>")
    (folder / "vocab.json").write_text(json.dumps(words), encoding="utf-8")
    with pytest.raises(InputError, match=r"vocab\.json has no word <unk>"):
        import_marian(folder, tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("config.json", b"{", "cannot be read"),
        ("config.json", b"[]", "an object is wanted"),
        ("vocab.json", b'{"a": "b"}', "'a' is 'b'"),
        ("vocab.json", b'{"a": 5, "b": 5}', "two words of the same number"),
        ("source.spm", b"", "no SentencePiece model"),
        ("target.spm", b"\x0a\xff rubbish", "no SentencePiece model"),
        ("model.safetensors", b"\0" * 64, "cannot be read"),
        ("tokenizer_config.json", b"\xff", "cannot be read"),
        ("generation_config.json", b"nothing", "cannot be read"),
    ],
)
def test_what_is_damaged_is_told(
    marian: tuple[Path, Any], name: str, content: bytes, told: str, tmp_path: Path, command: Command
) -> None:
    folder = tmp_path / "theirs"
    shutil.copytree(marian[0], folder)
    (folder / name).write_bytes(content)
    answer = command("import", folder, "--out", tmp_path / "run")
    assert is_told_briefly(answer)
    assert name in answer.err
    assert told in answer.err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["source.spm", "model.safetensors", "vocab.json"])
def test_what_is_cut_short_is_told(marian: tuple[Path, Any], name: str, tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    shutil.copytree(marian[0], folder)
    whole = (folder / name).read_bytes()
    for share in (0.1, 0.5, 0.9):
        (folder / name).write_bytes(whole[: int(share * len(whole))])
        with pytest.raises(InputError, match=name):
            import_marian(folder, tmp_path / "run")

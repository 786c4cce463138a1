"""Model folders that are damaged, incomplete or newer are named, not loaded."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heedful.files import write_atomically
from heedful.model_folder.card import read_card, save_card

from ..trained import Command, is_told_briefly


@pytest.fixture
def folder(prose_run: Path, tmp_path: Path) -> Path:
    """The model alone, as one would copy it to another machine."""
    made = tmp_path / "model"
    made.mkdir()
    for name in ("config.json", "model.safetensors", "tokenizer.model"):
        shutil.copy(prose_run / name, made)
    return made


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def blot(path: Path) -> None:
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 4000] = bytes(range(250)) * 16
    path.write_bytes(content)


def change(**fields: Any) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        config = folder / "config.json"
        config.write_text(json.dumps(json.loads(config.read_text()) | fields))

    return write


def drop(name: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        config = folder / "config.json"
        data = json.loads(config.read_text())
        del data[name]
        config.write_text(json.dumps(data))

    return write


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda f: (f / "config.json").write_text("garbage"), "config.json is damaged"),
        (lambda f: (f / "config.json").write_text("[1, 2]"), "config.json is damaged"),
        (lambda f: (f / "config.json").write_bytes(b"\xff\xfe"), "config.json is damaged"),
        (lambda f: cut(f / "config.json"), "config.json is damaged"),
        (change(format=99, heedful="7.1"), "made by heedful 7.1 (format 99)"),
        (change(format=1, heedful="0.1.0"), "made by an older heedful (format 1"),
        (change(surplus=1), "config.json is damaged"),
        (change(model={"d_model": "wide"}), "config.json is damaged"),
        (change(model={"d_model": 64, "n_layers": 1}), "does not fit its settings"),
        (change(source_vocabulary=None), "config.json is damaged"),
        (change(max_length="long"), "config.json is damaged"),
        (change(tokenizers=None), "config.json is damaged"),
        (change(length_ratio="wide"), "config.json is damaged"),
        (change(length_ratio=-5), "config.json is damaged (length_ratio: "),
        (change(max_length=0), "config.json is damaged (max_length: "),
        (change(alignment_layer=1), "config.json is damaged (alignment_layer: "),
        (change(alignment_layer=-1), "config.json is damaged (alignment_layer: "),
        (change(format="1"), "config.json is damaged (format = '1': a whole number is wanted)"),
        (change(format=None), "config.json is damaged (format = None"),
        (lambda f: (f / "config.json").write_text("[" * 100_000), "config.json is damaged"),
        (drop("text"), "config.json is damaged"),
        (drop("max_length"), "config.json is damaged"),
        (lambda f: cut(f / "model.safetensors"), "model.safetensors"),
        (lambda f: blot(f / "model.safetensors"), "model.safetensors is damaged, or of another"),
        (lambda f: (f / "model.safetensors").write_bytes(b""), "model.safetensors"),
        (lambda f: (f / "model.safetensors").unlink(), "model.safetensors"),
        (lambda f: cut(f / "tokenizer.model"), "tokenizer.model"),
        (lambda f: (f / "tokenizer.model").unlink(), "tokenizer.model"),
    ],
)  # fmt: skip
def test_damage_is_named(
    folder: Path, command: Command, damage: Callable[[Path], None], told: str
) -> None:
    damage(folder)
    line = folder.parent / "line"
    line.write_text("The cat sees the dog here.\n")
    answer = command("translate", folder, "--input", line)
    assert is_told_briefly(answer), answer.err
    assert told in answer.err
    answer = command("info", folder)
    assert "Traceback" not in answer.err
    assert answer.code in (0, 1)


@pytest.mark.parametrize(
    ("config", "file", "told"),
    [
        ({"model_type": "marian"}, "model.safetensors", "heedful import"),
        ({"architectures": ["MarianMTModel"]}, "pytorch_model.bin", "heedful import"),
        ({"bos_token": "<s>"}, "model.bin", "is a model of CTranslate2"),
        ({"bos_token": "<s>"}, "another.bin", "config.json is damaged"),
    ],
)
def test_another_programs_model(
    tmp_path: Path, command: Command, config: dict[str, Any], file: str, told: str
) -> None:
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / file).write_bytes(b"x")
    for name in ("translate", "info", "serve"):
        answer = command(name, tmp_path)
        assert is_told_briefly(answer)
        assert told in answer.err


def test_another_models_tokenizer(folder: Path, chars_run: Path, command: Command) -> None:
    shutil.copy(chars_run / "tokenizer.model", folder / "tokenizer.model")
    for name in ("translate", "info"):
        answer = command(name, folder)
        assert is_told_briefly(answer)
        assert "is not the one that the weights were trained with" in answer.err


def test_the_model_alone_is_enough(folder: Path, command: Command, tmp_path: Path) -> None:
    (tmp_path / "in").write_text("The cat sees the dog here.\n")
    assert command("translate", folder, "--input", tmp_path / "in").code == 0
    assert command("info", folder).code == 0


def test_a_card_comes_back(folder: Path, tmp_path: Path) -> None:
    card = read_card(folder)
    save_card(tmp_path, card)
    assert read_card(tmp_path) == card


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomically(path, "first")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "half\ud800")
    assert path.read_text() == "first"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]

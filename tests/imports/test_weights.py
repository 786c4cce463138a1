"""The weights that a folder holds: in any numbers and files, and none that would be overlooked."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

import heedful
from heedful.errors import InputError
from heedful.imports.marian import import_marian

from ..trained import sentences

LINES = [source for source, _ in sentences()[:5]]


@pytest.fixture
def folder(marian: tuple[Path, Any], tmp_path: Path) -> Path:
    shutil.copytree(marian[0], tmp_path / "theirs")
    return tmp_path / "theirs"


def add(folder: Path, **more: torch.Tensor) -> None:
    path = folder / "model.safetensors"
    save_file(load_file(path) | {name.replace("__", "."): t for name, t in more.items()}, path)


def set_config(folder: Path, change: dict[str, Any]) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | change), encoding="utf-8")


def arrays(run: Path) -> dict[str, torch.Tensor]:
    return load_file(run / "model.safetensors")


def test_what_a_config_does_not_say_is_as_transformers_has_it(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text("utf-8"))
    del config["scale_embedding"]
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(InputError, match="scale_embedding = False, True is wanted"):
        import_marian(folder, folder.parent / "run")


def theirs_sinusoids(folder: Path) -> torch.Tensor:
    from transformers import MarianConfig
    from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding

    config = MarianConfig.from_pretrained(folder)
    embedding = MarianSinusoidalPositionalEmbedding(64, config.d_model)
    table: torch.Tensor = embedding.create_weight()
    return table


@pytest.mark.parametrize("kind", [torch.float32, torch.float16, torch.bfloat16])
def test_sinusoids_in_the_file_are_those(folder: Path, kind: torch.dtype) -> None:
    name = "model__encoder__embed_positions__weight"
    right = theirs_sinusoids(folder)
    add(folder, **{name: right.to(kind)})
    import_marian(folder, folder.parent / "run")
    learned = right.clone()
    learned[7, 3] += 0.05
    add(folder, **{name: learned.to(kind)})
    with pytest.raises(InputError, match=r"embed_positions\.weight is not Marian's sinusoids"):
        import_marian(folder, folder.parent / "other")


@pytest.mark.parametrize(
    "name", ["lm_head__weight", "model__decoder__embed_tokens__weight"]
)  # fmt: skip
def test_tables_of_other_names_are_the_same(folder: Path, name: str) -> None:
    table = load_file(folder / "model.safetensors")["model.shared.weight"]
    add(folder, **{name: table.clone()})
    import_marian(folder, folder.parent / "run")
    table[3, 2] += 0.01
    add(folder, **{name: table})
    with pytest.raises(InputError, match="one table for all words is wanted"):
        import_marian(folder, folder.parent / "other")


def test_the_table_may_have_another_name(marian: tuple[Path, Any], folder: Path) -> None:
    path = folder / "model.safetensors"
    weights = load_file(path)
    weights["lm_head.weight"] = weights.pop("model.shared.weight")
    save_file(weights, path)
    import_marian(folder, folder.parent / "run")
    import_marian(marian[0], folder.parent / "usual")
    mine, usual = arrays(folder.parent / "run"), arrays(folder.parent / "usual")
    assert all(torch.equal(mine[name], usual[name]) for name in usual)


def test_what_nobody_takes_is_told(folder: Path) -> None:
    add(folder, model__encoder__layernorm_embedding__weight=torch.ones(20))
    with pytest.raises(InputError, match=r"has model\.encoder\.layernorm_embedding\.weight, which"):
        import_marian(folder, folder.parent / "run")
    assert not (folder.parent / "run").exists()


def test_weights_in_several_files(marian: tuple[Path, Any], folder: Path) -> None:
    _, model = marian
    (folder / "model.safetensors").unlink()
    model.save_pretrained(folder, max_shard_size="20KB")
    assert len(list(folder.glob("model-*.safetensors"))) > 1
    import_marian(folder, folder.parent / "run")
    import_marian(marian[0], folder.parent / "usual")
    one, other = (heedful.load(folder.parent / n, threads=1) for n in ("run", "usual"))
    assert [t.text for t in one.translate(LINES, max_length=9)] == [
        t.text for t in other.translate(LINES, max_length=9)
    ]
    next(folder.glob("model-*.safetensors")).unlink()
    with pytest.raises(InputError, match=r"model-.* is missing"):
        import_marian(folder, folder.parent / "other")


@pytest.mark.parametrize("places", [{}, None, {"a": "../secret"}, {"a": "/etc/passwd"}])
def test_an_index_that_points_elsewhere_is_told(folder: Path, places: object) -> None:
    (folder / "model.safetensors").unlink()
    index = {"weight_map": places}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    with pytest.raises(InputError, match="stand beside it"):
        import_marian(folder, folder.parent / "run")


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16, torch.float64])
def test_numbers_of_other_sizes(folder: Path, kind: torch.dtype) -> None:
    path = folder / "model.safetensors"
    weights = {name: array.to(kind) for name, array in load_file(path).items()}
    save_file(weights, path)
    import_marian(folder, folder.parent / "run")
    found = arrays(folder.parent / "run")["encoder.0.feed_forward.widen.bias"]
    assert torch.equal(found, weights["model.encoder.layers.0.fc1.bias"].float())


def test_numbers_that_are_none_of_weights(folder: Path) -> None:
    add(folder, final_logits_bias=torch.zeros(1, 3, dtype=torch.int64))
    with pytest.raises(InputError, match=r"final_logits_bias is in I64.*save the model anew"):
        import_marian(folder, folder.parent / "run")


@pytest.mark.parametrize("word", ["", "a\0b", "\ud800", "</s>\0"])
def test_words_that_no_text_can_have(folder: Path, word: str) -> None:
    path = folder / "vocab.json"
    ids = json.loads(path.read_text("utf-8"))
    ids[word] = ids.pop(next(piece for piece in ids if piece.startswith("▁")))
    path.write_text(json.dumps(ids), encoding="utf-8")
    with pytest.raises(InputError, match=r"vocab\.json has the word"):
        import_marian(folder, folder.parent / "run")


def test_words_that_are_spelt_alike(several: tuple[Path, Any], tmp_path: Path) -> None:
    """A language's word has a space before it, as heedful spells it."""
    folder = tmp_path / "theirs"
    shutil.copytree(several[0], folder)
    path = folder / "vocab.json"
    ids = json.loads(path.read_text("utf-8"))
    ids["▁>>deu<<"] = ids.pop(next(piece for piece in ids if piece.startswith("▁")))
    path.write_text(json.dumps(ids), encoding="utf-8")
    with pytest.raises(InputError, match=r"vocab\.json cannot be imported"):
        import_marian(folder, tmp_path / "run")


@pytest.mark.parametrize("name", ["lm_head__weight", "model__encoder__embed_positions__weight"])
def test_a_single_number_in_a_table_s_place_is_told(folder: Path, name: str) -> None:
    add(folder, **{name: torch.tensor(1.0)})
    with pytest.raises(InputError, match=r"has the shape \(\), and"):
        import_marian(folder, folder.parent / "run")

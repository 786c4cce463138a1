"""Runs whose words begin with vectors from a file."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

import heedful
from heedful.errors import InputError, ModelFolderError, RecipeError
from heedful.text.special import SPACE
from heedful.training.options import TrainOptions
from heedful.training.run import train_run

from ..trained import NOUNS, TINY, Text, TickingClock, run, sentences, settings, write_pairs

WORDS = [*NOUNS, "sees", "The", "the", "La", "la"]


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Text:
    return write_pairs(tmp_path_factory.mktemp("vectors"), sentences()[:200])


def vectors(folder: Path, width: int) -> Path:
    draw = np.random.default_rng(3)
    path = folder / f"words-{width}.vec"
    rows = [f"{word} " + " ".join(f"{x:.4f}" for x in draw.normal(size=width)) for word in WORDS]
    path.write_text(f"{len(rows)} {width}\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def train(out: Path, text: Text, **options: Any) -> dict[str, Any]:
    steps, threads = options.pop("steps", 3), options.pop("threads", 1)
    more = options.pop("set", ())
    heedful.train(
        out=out, **text.options, source_tokens="words", target_tokens="words", steps=steps,
        threads=threads, quiet=True, set=(*TINY, *more), **options,
    )  # fmt: skip
    found: dict[str, Any] = json.loads((out / "config.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("threads", [1, 2])
def test_frozen_vectors_are_those_of_the_file(text: Text, tmp_path: Path, threads: int) -> None:
    path = vectors(tmp_path, 7)
    options = {"source_embeddings": path, "freeze_embeddings": True, "threads": threads}
    card = train(tmp_path / "run", text, **options)
    assert card["model"]["source_vectors"] == 7
    weights = load_file(tmp_path / "run" / "model.safetensors")
    table = weights["embed_source.table"]
    assert table.shape[1] == 7
    assert weights["embed_source.project.weight"].shape == (32, 7)
    vocabulary = heedful.load(tmp_path / "run").source_tokenizer.vocabulary
    given = {line.split()[0]: np.array(line.split()[1:], float)
             for line in path.read_text(encoding="utf-8").splitlines()[1:]}  # fmt: skip
    mine = np.stack([table[vocabulary.index(SPACE + word)] for word in NOUNS])
    theirs = np.stack([given[word] for word in NOUNS])
    scale = (mine * theirs).sum() / (theirs * theirs).sum()
    np.testing.assert_allclose(mine, scale * theirs, atol=1e-5)


def test_vectors_that_are_trained_move(text: Text, tmp_path: Path) -> None:
    path = vectors(tmp_path, 32)
    tables = []
    for name, frozen in (("frozen", True), ("trained", False)):
        card = train(
            tmp_path / name, text,
            source_embeddings=path, target_embeddings=path, freeze_embeddings=frozen,
        )  # fmt: skip
        assert card["model"]["tie"] == ("none" if frozen else "two")
        tables.append(load_file(tmp_path / name / "model.safetensors")["embed_source.table"])
    assert not np.allclose(tables[0], tables[1])


def test_a_target_of_its_own_width_has_an_output_of_its_own(text: Text, tmp_path: Path) -> None:
    card = train(tmp_path / "run", text, target_embeddings=vectors(tmp_path, 7))
    assert card["model"]["tie"] == "none"
    assert (
        heedful.load(tmp_path / "run", engine="torch").translate("The cat sees.").text is not None
    )


def test_a_run_with_frozen_vectors_goes_on(text: Text, tmp_path: Path) -> None:
    path = vectors(tmp_path, 7)
    options: dict[str, Any] = {"source_embeddings": path, "freeze_embeddings": True}
    often = ("training.checkpoint_every=2", "training.schedule=inverse_sqrt", "training.warmup=5",
             "training.validate_every=2")  # fmt: skip
    train(tmp_path / "straight", text, steps=6, set=often, **options)
    train(tmp_path / "halted", text, steps=4, set=often, **options)
    heedful.train(out=tmp_path / "halted", resume=True, steps=6, quiet=True)
    last = "checkpoints/step-00000006/weights.safetensors"
    assert (tmp_path / "halted" / last).read_bytes() == (tmp_path / "straight" / last).read_bytes()


def test_words_without_a_vector_learn_beside_frozen_ones(text: Text, tmp_path: Path) -> None:
    path = vectors(tmp_path, 7)
    tables = []
    for steps in (2, 6):
        train(
            tmp_path / str(steps), text, steps=steps, source_embeddings=path,
            freeze_embeddings=True, set=("training.validate_every=1", "training.schedule=linear"),
        )  # fmt: skip
        tables.append(load_file(tmp_path / str(steps) / "model.safetensors")["embed_source.table"])
    vocabulary = heedful.load(tmp_path / "2").source_tokenizer.vocabulary
    moved = {
        piece for piece, a, b in zip(vocabulary, *tables, strict=True) if not np.array_equal(a, b)
    }
    assert SPACE + "finds" in moved
    assert not moved & {SPACE + word for word in WORDS}


def test_with_a_budget(text: Text, tmp_path: Path) -> None:
    files: dict[str, Any] = dict(text.options)
    options = TrainOptions(
        out=tmp_path / "run", **files, source_tokens="words", target_tokens="words",
        budget="12s", threads=1, quiet=True, set=TINY, target_embeddings=vectors(tmp_path, 7),
    )  # fmt: skip
    train_run(options, clock=TickingClock())
    card = json.loads((tmp_path / "run" / "config.json").read_text(encoding="utf-8"))
    assert card["model"]["target_vectors"] == 7


def test_a_run_that_was_stopped_before_its_first_checkpoint_has_its_vectors(
    text: Text, tmp_path: Path
) -> None:
    path = vectors(tmp_path, 7)
    train(tmp_path / "straight", text, source_embeddings=path)
    train(tmp_path / "halted", text, source_embeddings=path)
    shutil.rmtree(tmp_path / "halted" / "checkpoints")
    (tmp_path / "halted" / "model.safetensors").unlink()
    heedful.train(out=tmp_path / "halted", resume=True, quiet=True)
    mine, theirs = (tmp_path / name / "model.safetensors" for name in ("halted", "straight"))
    assert mine.read_bytes() == theirs.read_bytes()


def test_a_width_without_vectors_is_refused(text: Text, tmp_path: Path) -> None:
    with pytest.raises(ModelFolderError, match="--source-embeddings"):
        train(tmp_path / "run", text, set=("model.source_vectors=7",))


def test_how_many_words_are_covered_is_told(text: Text, tmp_path: Path) -> None:
    answer = run(
        "train", "--out", tmp_path / "run", *text.flags, "--source-tokens", "words",
        "--target-tokens", "words", "--steps", "1", "--threads", "1",
        "--source-embeddings", vectors(tmp_path, 7), *settings(*TINY),
    )  # fmt: skip
    assert answer.code == 0, answer.err
    assert "vectors of 7 numbers for 9 of" in answer.out.replace("\n", " ")


def test_pieces_of_words_have_no_vectors(text: Text, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give --source-tokens words too"):
        heedful.train(
            out=tmp_path / "run", **text.options, steps=1, quiet=True, set=TINY,
            source_embeddings=vectors(tmp_path, 7),
        )  # fmt: skip
    assert not (tmp_path / "run").exists()  # told before the text is prepared


def test_one_table_for_all_does_not_go_with_vectors(text: Text, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r'take model\.tie = "two"'):
        train(
            tmp_path / "run", text, set=("text.joint=true", "model.tie=three"),
            source_embeddings=vectors(tmp_path, 7),
        )  # fmt: skip


def test_a_run_keeps_the_vectors_it_was_begun_with(text: Text, tmp_path: Path) -> None:
    path = vectors(tmp_path, 7)
    train(tmp_path / "run", text, source_embeddings=path)
    with pytest.raises(InputError, match="leave --source-embeddings"):
        heedful.train(out=tmp_path / "run", resume=True, source_embeddings=path, quiet=True)


def test_there_must_be_something_to_freeze(text: Text, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give --source-embeddings"):
        train(tmp_path / "run", text, freeze_embeddings=True)
    assert not (tmp_path / "run").exists()

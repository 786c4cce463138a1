"""Settings: where they come from, and what is said of those that do not fit."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from heedful import recipe
from heedful.errors import RecipeError
from heedful.models.config import TransformerConfig
from heedful.recipe import Recipe
from heedful.training.config import parse_duration
from heedful.training.options import TrainOptions


def test_later_layers_win(tmp_path: Path) -> None:
    file = tmp_path / "r.toml"
    file.write_text("[model]\nd_model = 256\nd_ff = 99\nn_heads = 2\n[training]\nseed = 3\n")
    options = TrainOptions(
        out=tmp_path,
        preset="tiny",
        recipe=file,
        set=("model.d_ff=77", "training.seed=4", "training.steps=10", "model.d_ff=78"),
        steps=20,
    )
    model = {"n_layers": 4, "d_model": 256, "d_ff": 78, "n_heads": 2}
    training = {"seed": 4, "steps": 20}
    assert options.sections() == {"model": model, "training": training, "text": {}}


def test_a_budget_is_seconds(tmp_path: Path) -> None:
    options = TrainOptions(out=tmp_path, budget="1h30m")
    assert options.sections()["training"] == {"budget": 5400.0}


def test_training_ends_by_one_measure(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="steps and budget are both given"):
        TrainOptions(out=tmp_path, budget="1h", steps=20).sections()


def test_what_is_written_reads_back_the_same() -> None:
    made = recipe.parse(
        {
            "text": {"source_tokens": "chars", "max_length": 77},
            "model": {"d_model": 96, "n_heads": 3, "dropout": 0.15, "pre_norm": True},
            "training": {"budget": "10m", "epsilon": 1e-11, "best_by": "loss", "seed": 2**40},
            "decoding": {"alpha": 0.6, "sample": True},
        }
    )
    assert made.training.budget == 600
    assert recipe.parse(tomllib.loads(made.to_toml())) == made
    assert recipe.parse(tomllib.loads(Recipe().to_toml())) == Recipe()


def test_a_file_reads_as_its_settings(tmp_path: Path) -> None:
    made = recipe.parse({"model": {"tie": "none"}})
    (tmp_path / "r.toml").write_text(made.to_toml())
    assert recipe.parse(recipe.read(tmp_path / "r.toml")) == made


@pytest.mark.parametrize(
    ("sections", "told"),
    [
        ({"model": {"drop": 0.1}}, r"unknown setting model.drop \(did you mean 'model.dropout'"),
        ({"training": {"dropout": 2}}, r"training.dropout \(did you mean 'model.dropout'"),
        ({"text": {"seeds": 2}}, r"unknown setting text.seeds"),
        ({"trainig": {}}, r"unknown setting trainig \(did you mean 'training'"),
        (
            {"model": {"d_model": 512, "n_heads": 7}},
            r"\[model\] n_heads = 7 does not divide d_model = 512: take",
        ),
        ({"model": {"dropout": -0.5}}, "model.dropout = -0.5: input should be greater"),
        ({"model": {"dropout": float("nan")}}, "model.dropout = nan"),
        ({"decoding": {"beam": 0}}, "decoding.beam = 0: input should be greater"),
        ({"decoding": {"beam": "wide"}}, "decoding.beam = 'wide': input should be a valid integer"),
        ({"training": {"steps": 0}}, "training.steps = 0"),
        ({"training": {"budget": "-5s"}}, "'-5s' is not a time"),
        ({"training": {"budget": 0}}, "training.budget = 0"),
        ({"text": {"source_tokens": "bytes"}}, "text.source_tokens = 'bytes'"),
        ({"model": 3}, r"model = 3: input should be"),
        ({"model": {"d_ff": 0}, "decoding": {"beam": 0}}, "model.d_ff = 0.*; decoding.beam = 0"),
    ],
)
def test_what_does_not_fit_is_named(sections: dict[str, object], told: str) -> None:
    with pytest.raises(RecipeError, match=told):
        recipe.parse(sections)


def test_heads_need_not_divide_a_width_that_is_given() -> None:
    model = recipe.parse({"model": {"n_heads": 7, "d_k": 64, "d_v": 32}}).model
    assert isinstance(model, TransformerConfig)
    assert (model.head_key_width, model.head_value_width) == (64, 32)


def test_assignments_are_values_or_plain_text() -> None:
    pairs = ["model.dropout=0.3", "model.pre_norm = true", "text.algorithm=bpe", "training.seed=7"]
    assert recipe.assignments(pairs) == {
        "model": {"dropout": 0.3, "pre_norm": True},
        "text": {"algorithm": "bpe"},
        "training": {"seed": 7},
    }
    assert recipe.assignments(['training.budget="10m"', "training.budget=1h"]) == {
        "training": {"budget": "1h"}
    }


@pytest.mark.parametrize("pair", ["dropout=1", "model.dropout", "=1", ".x=1", "model.=1", ""])
def test_other_assignments_are_refused(pair: str) -> None:
    with pytest.raises(RecipeError, match=r"write section\.setting=value"):
        recipe.assignments([pair])


def test_presets() -> None:
    assert recipe.preset("base", "transformer")["model"]["d_model"] == 512
    with pytest.raises(
        RecipeError, match=r"'smal' is not known for transformer \(did you mean 'small'\?\)"
    ):
        recipe.preset("smal", "transformer")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("90s", 90), ("10m", 600), ("1h30m", 5400), ("2d", 172_800), ("0.5h", 1800),
     ("1H 30M", 5400), ("1.5m1s", 91)],
)  # fmt: skip
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "soon", "10x", "m", "-5s", "1h30", "1..5s", "5 s m"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(ValueError, match="is not a time: write for example 90s"):
        parse_duration(text)


def test_languages_are_those_of_the_files_unless_they_are_told(tmp_path: Path) -> None:
    files = {"out": tmp_path / "run", "source": "train.en", "target": "train.de.gz"}
    found = TrainOptions(**files).sections()["text"]  # type: ignore[arg-type]  # of several types
    assert found == {"source_lang": "en", "target_lang": "de"}
    told = TrainOptions(**files, target_lang="nds")  # type: ignore[arg-type]  # the same
    assert told.sections()["text"] == {"source_lang": "en", "target_lang": "nds"}
    unnamed = TrainOptions(out=tmp_path / "run", source="train.src", target="train.tgt")
    assert "source_lang" not in unnamed.sections().get("text", {})

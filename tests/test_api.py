"""Training, judging and exporting from Python."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import heedful
from heedful import evaluation
from heedful.api import PATHS
from heedful.errors import InputError, RecipeError
from heedful.training.options import TrainOptions
from heedful.translator import Translator

from .trained import sentences

PARAMETERS = inspect.signature(heedful.train).parameters


def test_training_takes_what_the_command_takes() -> None:
    options = inspect.signature(TrainOptions).parameters
    assert list(PARAMETERS) == list(options)
    for name, parameter in PARAMETERS.items():
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        assert parameter.default == options[name].default, name
        assert name in (heedful.train.__doc__ or "")


def test_which_parameters_are_paths() -> None:
    hints = get_type_hints(TrainOptions)
    assert tuple(name for name in hints if Path in (hints[name], *get_args(hints[name]))) == PATHS


@pytest.fixture
def options(monkeypatch: pytest.MonkeyPatch) -> list[TrainOptions]:
    """What a training is started with, instead of one."""
    given: list[TrainOptions] = []
    monkeypatch.setattr("heedful.training.run.train_run", given.append)
    return given


def test_every_parameter_arrives(options: list[TrainOptions]) -> None:
    """Each with a value of its own; paths as text."""
    values: dict[str, Any] = {name: f"value of {name}" for name in PARAMETERS}
    values |= {"set": ("model.dropout=0.3",), "steps": 7, "seed": 11, "threads": 13}
    values |= {"freeze_embeddings": True, "resume": True, "quiet": True}
    heedful.train(**values)
    expected = values | {name: Path(values[name]) for name in PATHS}
    assert options == [TrainOptions(**expected)]


def test_text_may_be_a_path(options: list[TrainOptions]) -> None:
    heedful.train(out="run", source=Path("a.en"), target=Path("a.de"))
    assert options == [TrainOptions(out=Path("run"), source="a.en", target="a.de")]


@pytest.mark.parametrize(
    ("settings", "flags"),
    [
        (
            {"model.dropout": 0.3, "model.pre_norm": True, "model.score": "dot"},
            ("model.dropout=0.3", "model.pre_norm=true", 'model.score="dot"'),
        ),
        (["model.dropout=0.3"], ("model.dropout=0.3",)),
        ("model.dropout=0.3", ("model.dropout=0.3",)),
    ],
)
def test_settings_by_name(options: list[TrainOptions], settings: Any, flags: Any) -> None:
    heedful.train(out="run", set=settings)
    assert options[0].set == flags
    assert options[0].sections()["model"]["dropout"] == 0.3


def test_an_unknown_parameter_is_refused_by_python_and_by_mypy(tmp_path: Path) -> None:
    """An ignored error that is none would be an error itself: `warn_unused_ignores`."""
    with pytest.raises(TypeError, match="sorce"):
        heedful.train(out=tmp_path, sorce="a", target="b")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="out"):
        heedful.train(source="a", target="b")  # type: ignore[call-arg]
    with pytest.raises(RecipeError, match="preset 'smal'"):
        heedful.train(out=tmp_path, preset="smal")  # type: ignore[arg-type]


SOURCES = [source for source, _ in sentences()[:20]]
REFERENCES = [target for _, target in sentences()[:20]]


def test_a_model_is_judged_by_its_own_translations(prose: Translator, prose_run: Path) -> None:
    mine = [translation.text for translation in prose.translate(SOURCES, beam=2)]
    expected = evaluation.evaluate(mine, REFERENCES, words=False)
    for model in (prose, prose_run, str(prose_run)):
        assert heedful.evaluate(model, source=SOURCES, reference=REFERENCES, beam=2) == expected


def test_files_are_judged_as_lists_are(prose: Translator, tmp_path: Path) -> None:
    source, reference = tmp_path / "test.en", tmp_path / "test.eo"
    for path, lines in ((source, SOURCES), (reference, REFERENCES)):
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    by_lists = heedful.evaluate(prose, source=SOURCES, reference=REFERENCES)
    assert heedful.evaluate(prose, source=source, reference=reference) == by_lists
    assert heedful.evaluate(prose, source=str(source), reference=REFERENCES) == by_lists


def test_translations_of_others_are_judged() -> None:
    """Of two lines one is right; of seven words one is wrong."""
    reference = ["ein Hund rennt schnell", "eine Katze schläft"]
    report = heedful.evaluate(
        hypothesis=["ein Hund rennt schnell", "eine Maus schläft"], reference=reference, words=True
    )
    assert report.exact_match.value == 50
    assert report.word_error_rate is not None
    assert report.word_error_rate.value == pytest.approx(100 / 7)
    perfect = heedful.evaluate(hypothesis=reference, reference=reference)
    assert perfect.bleu.value == pytest.approx(100)
    assert perfect.word_error_rate is None


def test_a_report_shows_its_scores_in_a_line() -> None:
    report = heedful.evaluate(hypothesis=["a b c d", "a b c x"], reference=["a b c d"] * 2)
    half = report.exact_match.confidence
    assert repr(report).startswith("Report(2 lines: BLEU ")
    assert f", exact match 50.00 ± {half:.2f}, " in repr(report)
    assert len(repr(report)) < 200


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"source": SOURCES}, "give a model and its source, or hypothesis alone"),
        ({}, "give a model and its source, or hypothesis alone"),
        ({"source": SOURCES, "hypothesis": SOURCES}, "give a model and its source, or hypothesis"),
        ({"hypothesis": SOURCES[1:]}, "19 hypotheses and 20 references"),
        ({"hypothesis": [*SOURCES[1:], 3]}, "got 3 in hypothesis: a list of lines, or a file's"),
        ({"hypothesis": "missing.txt"}, "missing.txt"),
        ({"hypothesis": SOURCES, "tokenize": "13b"}, "tokenize '13b' is not known: take one"),
    ],
)
def test_what_cannot_be_judged(given: dict[str, Any], told: str) -> None:
    with pytest.raises(heedful.HeedfulError, match=told):
        heedful.evaluate(reference=REFERENCES, **given)


def test_nothing_is_translated_that_cannot_be_judged(
    prose: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Translator, "translate", None)
    with pytest.raises(InputError, match="got 20 source lines and 19 references: line n of one"):
        heedful.evaluate(prose, source=SOURCES, reference=REFERENCES[1:])
    with pytest.raises(InputError, match="give a model and its source"):
        heedful.evaluate(prose, reference=REFERENCES)


def test_an_export_is_where_it_says(
    prose_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = heedful.export(str(prose_run), to="ctranslate2", out=str(tmp_path / "c"), quantize="int8")
    assert out == tmp_path / "c"
    assert (out / "model.bin").exists()
    assert capsys.readouterr() == ("", "")


def test_an_export_that_is_not_known(prose_run: Path, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="format 'onx' is not known: take one of ctranslate2, "):
        heedful.export(prose_run, to="onx", out=tmp_path / "x")  # type: ignore[arg-type]
    with pytest.raises(RecipeError, match="quantize 'int7' is not known"):
        heedful.export(prose_run, to="argos", out=tmp_path / "x", quantize="int7")  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())

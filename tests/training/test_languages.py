"""The languages that a training is told: checked, and those of a model to begin with replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

import heedful
from heedful.training.options import TrainOptions

from ..trained import TINY, Command, Text, copy_of, is_told_briefly, settings

ONCE = ("--steps", 1, "--threads", 1, *settings(*TINY))


def test_a_word_that_is_no_language(command: Command, prose_text: Text, tmp_path: Path) -> None:
    answer = command(
        "train", *prose_text.flags, "--out", tmp_path / "run", "--source-lang", "klingon"
    )
    assert is_told_briefly(answer)
    assert "source language 'klingon' is not a language code" in answer.err
    assert not (tmp_path / "run").exists()


def test_names_become_codes_wherever_they_are_given(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text('[text]\nsource_lang = "Korean"\n')
    options = TrainOptions(
        out=tmp_path / "run", recipe=tmp_path / "recipe.toml", set=("text.target_lang=eng",)
    )
    assert options.sections()["text"] == {"source_lang": "ko", "target_lang": "en"}


def test_odd_languages_are_told(command: Command, prose_text: Text, tmp_path: Path) -> None:
    codes = ("--source-lang", "xx", "--target-lang", "xx")
    answer = command("train", *prose_text.flags, "--out", tmp_path / "run", *codes, *ONCE)
    assert answer.code == 0, answer.err
    assert "warning: source language 'xx' is none that heedful knows" in answer.out
    assert "warning: source and target language are both xx" in answer.out


def languages(run: Path) -> tuple[str | None, str | None]:
    text = heedful.load(run).card.text
    return text.source_lang, text.target_lang


@pytest.fixture
def en_fr(prose_text: Text, tmp_path: Path) -> Text:
    """The text in files that name two languages."""
    copy_of(prose_text.source).rename(tmp_path / "text.en")
    copy_of(prose_text.target).rename(tmp_path / "text.fr")
    return Text(tmp_path / "text.en", tmp_path / "text.fr")


def test_a_run_from_another_has_the_languages_of_its_text(
    command: Command, prose_run: Path, prose_text: Text, en_fr: Text, tmp_path: Path
) -> None:
    """The model that it begins with translates English to Esperanto."""
    once = ("--from", prose_run, "--steps", 1, "--threads", 1)
    told = "warning: the model that this one begins with translates English (en) to Esperanto (eo)"

    answer = command("train", *en_fr.flags, "--out", tmp_path / "files", *once)
    assert answer.code == 0, answer.err
    assert f"{told}, the new one English (en) to French (fr)" in answer.out
    assert languages(tmp_path / "files") == ("en", "fr")

    flags = ("--source-lang", "German")
    answer = command("train", *prose_text.flags, *flags, "--out", tmp_path / "flags", *once)
    assert f"{told}, the new one German (de) to Esperanto (eo)" in answer.out
    assert languages(tmp_path / "flags") == ("de", "eo")

    answer = command("train", *prose_text.flags, "--out", tmp_path / "none", *once)
    assert "begins with translates" not in answer.out
    assert languages(tmp_path / "none") == ("en", "eo")

"""Bad input, through the command line: a line or two, no traceback, nothing harmed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import heedful

from .trained import TINY, Command, contents, copy_of, is_told_briefly, run, settings

LINES = "".join(f"line {i}\n" for i in range(30))


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text"
    path.write_text(LINES)
    return path


def refused(command: Command, tmp_path: Path, *arguments: object) -> str:
    """Trains with these, sees that it is refused as it should be, and returns what is said."""
    before = contents(tmp_path)
    answer = command("train", "--out", tmp_path / "run", "--steps", 3, *settings(*TINY), *arguments)
    assert is_told_briefly(answer), answer
    after = contents(tmp_path)
    assert {name: after[name] for name in before} == before
    assert not (tmp_path / "run" / "recipe.toml").exists()
    return answer.err


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"one\ntwo\n", "unequal length: 30 lines and 2 lines"),
        (b"", "bad: the file is empty"),
        (b"fine\nna\xefve\n" * 15, "bad: line 2, byte 3 (0xef) is not UTF-8"),
        (b"\n \n\t\n" * 10, "no pair has text on both sides"),
    ],
)
def test_bad_text(command: Command, tmp_path: Path, text: Path, content: bytes, told: str) -> None:
    bad = tmp_path / "bad"
    bad.write_bytes(content)
    assert told in refused(command, tmp_path, "--source", text, "--target", bad)


def test_too_few_pairs_to_set_some_aside(command: Command, tmp_path: Path) -> None:
    few = tmp_path / "few"
    few.write_text("".join(f"{n}\n" for n in range(19)) + "18\n" * 5 + "\n" * 9)
    told = refused(command, tmp_path, "--source", few, "--target", copy_of(few))
    assert "24 usable pairs with 19 distinct source lines are too few" in told
    assert "--valid-source" in told


def test_missing_files_and_sides(command: Command, tmp_path: Path, text: Path) -> None:
    told = refused(command, tmp_path, "--source", text, "--target", tmp_path / "none")
    assert "none: there is no such file" in told
    assert not (tmp_path / "run").exists()
    assert "--target is missing" in refused(command, tmp_path, "--source", text)
    assert "nothing to train on" in refused(command, tmp_path)
    assert "not both" in refused(command, tmp_path, "--source", text, "--pairs", text)
    both = "--source", text, "--target", copy_of(text)
    assert "--valid-source is missing" in refused(command, tmp_path, *both, "--valid-target", text)
    assert "this is a folder" in refused(command, tmp_path, "--pairs", tmp_path)


def test_what_fails_at_once_leaves_no_folder(command: Command, tmp_path: Path, text: Path) -> None:
    (tmp_path / "one").write_text("one\n")
    unequal = "--source", text, "--target", tmp_path / "one"
    refused(command, tmp_path, *unequal)
    assert not (tmp_path / "run").exists()
    (tmp_path / "run").mkdir()  # somebody's own
    refused(command, tmp_path, *unequal)
    assert (tmp_path / "run").is_dir()


@pytest.mark.parametrize(
    "flags",
    [
        ("--pairs", "-", "--valid-pairs", "-"),
        ("--source", "-", "--target", "text", "--valid-source", "-", "--valid-target", "text"),
        ("--source", "text", "--target", "-", "--valid-pairs", "-"),
    ],
)
def test_standard_input_is_one_file(
    command: Command, tmp_path: Path, text: Path, flags: tuple[str, ...]
) -> None:
    given = [str(text) if flag == "text" else flag for flag in flags]
    assert "standard input holds one file only" in refused(command, tmp_path, *given)


def test_unequal_validation_files(command: Command, tmp_path: Path, text: Path) -> None:
    short = tmp_path / "short"
    short.write_text("one\n")
    both = "--source", text, "--target", copy_of(text)
    valid = "--valid-source", text, "--valid-target", short
    assert "30 lines and 1 line" in refused(command, tmp_path, *both, *valid)


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("model.drpout=0.1", "unknown setting model.drpout (did you mean 'model.dropout'?)"),
        ("modle.dropout=0.1", "unknown setting modle (did you mean 'model'?)"),
        ("model.n_heads=3", "n_heads = 3 does not divide d_model = 32: take n_heads = 2"),
        ("model.dropout=-0.1", "model.dropout = -0.1: input should be greater than or equal to 0"),
        ("model.dropout=1", "model.dropout = 1: input should be less than 1"),
        ("decoding.beam=0", "decoding.beam = 0: input should be greater than or equal to 1"),
        ("training.budget=soon", "'soon' is not a time"),
        ("training.peak_rate=nan", "training.peak_rate"),
        ("model.kind=magic", "model 'magic' is not known"),
        ("model.tie=three", 'model.tie = "three" wants one vocabulary'),
        ("text.vocabulary_size=20", "a vocabulary of 20 "),
        ("text.max_length=1", "text.max_length = 1"),
        ("dropout=0.1", "write section.setting=value"),
        ("model.dropout", "write section.setting=value"),
        ("training.device=tpu", "training.device = 'tpu'"),
    ],
)
def test_bad_settings(
    command: Command, tmp_path: Path, text: Path, setting: str, told: str
) -> None:
    kinds = ("--source-tokens", "chars") if "tie" in setting else ()
    both = "--source", text, "--target", copy_of(text)
    assert told in refused(command, tmp_path, *both, *kinds, "--set", setting)


def test_bad_recipes(command: Command, tmp_path: Path, text: Path) -> None:
    both = "--source", text, "--target", copy_of(text)
    told = refused(command, tmp_path, *both, "--recipe", tmp_path / "none.toml")
    assert "none.toml does not exist" in told
    recipe = tmp_path / "recipe.toml"
    recipe.write_text("[model\n")
    assert "recipe.toml cannot be read" in refused(command, tmp_path, *both, "--recipe", recipe)
    recipe.write_text("[training]\nseeds = 3\n")
    told = refused(command, tmp_path, *both, "--recipe", recipe)
    assert "recipe.toml: unknown setting training.seeds (did you mean 'training.seed'?)" in told


def test_the_output_cannot_be_a_file(command: Command, tmp_path: Path, text: Path) -> None:
    both = "--source", text, "--target", copy_of(text)
    answer = command("train", *both, "--out", text)
    assert is_told_briefly(answer)
    assert f"{text} is a file" in answer.err
    answer = command("train", *both, "--out", text / "below")
    assert is_told_briefly(answer)
    assert text.read_text() == LINES


def test_prepared_data_never_replaces_what_is_not_prepared_data(
    command: Command, tmp_path: Path
) -> None:
    """The folder that the text itself lies in is an easy slip."""
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "text").write_text(LINES)
    both = "--source", folder / "text", "--target", copy_of(folder / "text")
    command("train", *both, "--out", tmp_path / "run", "--data", folder, "--steps", 1,
            "--quiet", *settings(*TINY))  # fmt: skip
    assert (folder / "text").exists()


def test_data_cannot_lie_in_a_file(command: Command, tmp_path: Path, text: Path) -> None:
    refused(command, tmp_path, "--source", text, "--target", copy_of(text), "--data", text / "data")


@pytest.mark.parametrize(
    "arguments",
    [
        ["train"],
        ["train", "--out", "x", "--beem", "3"],
        ["train", "--out", "x", "--steps", "many"],
        ["train", "--out", "x", "--preset", "huge"],
        ["translate"],
        ["tanslate", "x"],
        ["demo", "--to", "de"],
    ],
)
def test_mistyped_commands(command: Command, arguments: list[str]) -> None:
    answer = command(*arguments)
    assert answer.code == 2
    assert answer.err
    assert not answer.out
    assert "Traceback" not in answer.err


@pytest.mark.parametrize("name", ["translate", "evaluate", "info", "export"])
def test_a_model_that_is_not_there(command: Command, tmp_path: Path, text: Path, name: str) -> None:
    more = {
        "evaluate": ("--source", text, "--reference", copy_of(text)),
        "export": ("--to", "ctranslate2"),
    }.get(name, ())
    answer = command(name, tmp_path / "none", *more)
    assert is_told_briefly(answer)
    assert "none is not there" in answer.err
    answer = command(name, text, *more)
    assert is_told_briefly(answer)
    assert f"{text} is a file: a folder that `heedful train` made is wanted" in answer.err
    answer = command(name, tmp_path, *more)
    assert is_told_briefly(answer)
    assert "config.json is missing" in answer.err
    assert "--resume" not in answer.err
    (tmp_path / "recipe.toml").touch()  # a training was begun there
    assert f"--resume --out {tmp_path}" in command(name, tmp_path, *more).err


def test_a_mistyped_setting_is_told_before_torch_is_loaded(tmp_path: Path) -> None:
    answer = run(
        "train", "--out", tmp_path / "run", "--set", "model.hads=3",
        first="import sys; sys.modules['torch'] = None",
    )  # fmt: skip
    assert is_told_briefly(answer)
    assert "unknown setting model.hads" in answer.err


def test_preset_below_recipe_below_set_below_flags(
    command: Command, tmp_path: Path, text: Path
) -> None:
    recipe = tmp_path / "my.toml"
    recipe.write_text(
        "[model]\nn_layers = 1\nd_model = 40\nd_ff = 24\n"
        "[training]\nseed = 5\nsteps = 9\nwarmup = 6\n"
    )
    out = tmp_path / "run"
    answer = command(
        "train", "--source", text, "--target", copy_of(text), "--out", out, "--preset", "tiny",
        "--recipe", recipe, "--set", "model.d_model=32", "--set", "training.steps=8",
        "--set", "training.warmup=4", "--steps", 1, "--seed", 7, "--quiet", "--threads", 1,
    )  # fmt: skip
    assert answer.code == 0, answer.err
    written = tomllib.loads((out / "recipe.toml").read_text())
    model, training = written["model"], written["training"]
    assert (model["n_heads"], model["n_layers"]) == (4, 1)  # preset; recipe over preset
    assert (model["d_ff"], model["d_model"]) == (24, 32)  # recipe; --set over recipe
    assert (training["seed"], training["steps"], training["warmup"]) == (7, 1, 4)


def test_help_and_version(command: Command) -> None:
    assert "translate" in command("--help").out
    assert "--budget" in command("train", "--help").out
    assert "--empty" not in command("see", "--help").out
    assert command("--version").out.strip() == heedful.__version__

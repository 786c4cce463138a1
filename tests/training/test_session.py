"""Which weights become the run's model: the best validation's, or an average still better."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

import heedful
from heedful.training import session
from heedful.training.average import averaged
from heedful.training.session import Outcome
from heedful.training.validate import Scores, Validation

from ..trained import TINY, Text, backwards, write_pairs

STEPS = ("00000002", "00000004", "00000006")


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Text:
    return write_pairs(tmp_path_factory.mktemp("session"), backwards(60))


def train_and_be_told(
    out: Path,
    text: Text,
    monkeypatch: pytest.MonkeyPatch,
    *changes: str,
    scores: list[float],
    quiet: bool = True,
) -> None:
    """Six steps with a validation, and a checkpoint, after every second; the validations find
    these scores one after the other: three on the way, that of the average, that of the end."""
    coming: Iterator[float] = iter(scores)

    def told(*_: Any, **__: Any) -> Validation:
        score = next(coming)
        return Validation(loss=-score, bleu=0.0, chrf=score, samples=())

    def told_with_beam(*_: Any, **__: Any) -> tuple[list[str], Scores]:
        return [], Scores(bleu=0.0, chrf=next(coming))

    monkeypatch.setattr(session, "validate", told)
    monkeypatch.setattr(session, "score_lines", told_with_beam)
    heedful.train(
        out=out, **text.options, source_tokens="chars", target_tokens="chars", steps=6, threads=1,
        quiet=quiet, set=(*TINY, "training.validate_every=2", "training.peak_rate=0.01", *changes),
    )  # fmt: skip
    assert next(coming, None) is None


def checkpoints(out: Path) -> list[Path]:
    found = sorted((out / "checkpoints").iterdir())
    assert [path.name for path in found] == [f"step-{step}" for step in STEPS]
    return found


def model(out: Path) -> dict[str, torch.Tensor]:
    return load_file(out / "model.safetensors")


@pytest.mark.parametrize(
    ("scores", "best", "best_by"),
    [([7.0, 3.0, 5.0], 0, "chrf"), ([3.0, 7.0, 5.0], 1, "loss"), ([3.0, 5.0, 7.0], 2, "chrf")],
)
def test_the_model_is_that_of_the_best_validation(
    text: Text, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    scores: list[float], best: int, best_by: str,
) -> None:  # fmt: skip
    """And not the average, which is worse here."""
    out = tmp_path / "run"
    by = f"training.best_by={best_by}"
    train_and_be_told(out, text, monkeypatch, by, scores=[*scores, 6.5, 0.0])
    kept = [load_file(path / "weights.safetensors") for path in checkpoints(out)]
    for number, weights in enumerate(kept):
        same = all(torch.equal(weights[name], tensor) for name, tensor in model(out).items())
        assert same == (number == best)


def test_of_equals_the_later_is_kept(
    text: Text, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "run"
    train_and_be_told(out, text, monkeypatch, scores=[5.0, 5.0, 4.0, 3.0, 0.0])
    second = load_file(checkpoints(out)[1] / "weights.safetensors")
    torch.testing.assert_close(model(out), second, rtol=0, atol=0)


@pytest.mark.parametrize("n", [2, 3])
def test_a_better_average_is_taken(
    text: Text, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n: int
) -> None:
    out = tmp_path / "run"
    last = f"training.average={n}"
    train_and_be_told(out, text, monkeypatch, last, scores=[3.0, 7.0, 5.0, 7.5, 0.0])
    torch.testing.assert_close(model(out), averaged(checkpoints(out)[-n:]), rtol=0, atol=0)


def test_the_card_tells_the_scores_of_the_end(
    text: Text, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the model that is kept, found with the beam that it will be used with."""
    out = tmp_path / "run"
    train_and_be_told(out, text, monkeypatch, scores=[3.0, 7.0, 5.0, 6.0, 8.25])
    assert heedful.load(out).card.scores["chrf"] == 8.25


@pytest.mark.parametrize(("with_beam", "is_worse"), [(50.0, True), (96.0, False)])
def test_a_beam_that_is_worse_than_greedy_is_reported(
    text: Text, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str], with_beam: float, is_worse: bool,
) -> None:  # fmt: skip
    out = tmp_path / "run"
    train_and_be_told(
        out, text, monkeypatch, "training.average=1", scores=[3.0, 7.0, 99.7, with_beam],
        quiet=False,
    )  # fmt: skip
    printed = capsys.readouterr().out
    assert f"chrF {with_beam} with beam 4" in printed
    assert "(greedy, as shown above: 0.0 and 99.7)" in printed
    assert ("warning: beam 4 is clearly worse than greedy search" in printed) == is_worse


def test_a_curve_that_cannot_be_written_stops_no_training(
    tmp_path: Path, text: Text, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "run" / "curve.png"
    blocked.mkdir(parents=True)  # a folder where the picture should be
    (blocked / "kept").write_text("mine")
    train_and_be_told(tmp_path / "run", text, monkeypatch, scores=[1.0, 2.0, 3.0, 2.5, 3.0])
    assert (tmp_path / "run" / "model.safetensors").exists()
    assert blocked.is_dir()


def test_an_outcome_shows_itself_in_a_line() -> None:
    outcome = Outcome(Path("runs/en-de"), 12_345, 600.4, 35.84, 60.02, 1.98765)
    assert repr(outcome) == (
        "runs/en-de: 12,345 steps in 600 s; validation BLEU 35.8, chrF 60.0, loss 1.988"
    )

"""What a run leaves behind of what it showed."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

import heedful
from heedful.training.checkpoint import Progress
from heedful.training.reporter import Reporter, read_metrics
from heedful.training.validate import Sample, Validation

from ..trained import TINY, sentences, write_pairs

RESULT = Validation(1.5, 20.0, 40.0, (Sample("a dog", "ein Hund", "ein [Hund]"),))


def console() -> Console:
    return Console(file=io.StringIO(), width=200)


def text_of(shown: Console) -> str:
    assert isinstance(shown.file, io.StringIO)
    return shown.file.getvalue()


def test_validation_shows_figures_and_samples_as_they_are(tmp_path: Path) -> None:
    shown = console()
    with Reporter(shown, tmp_path / "metrics.jsonl") as reporter:
        reporter.begin(Progress())
        reporter.validation(Progress(step=7), RESULT, is_best=True)
    assert "step 7: validation loss 1.500, BLEU 20.0, chrF 40.0" in text_of(shown)
    assert "→ ein [Hund]" in text_of(shown)  # brackets are text, not markup
    record = read_metrics(tmp_path / "metrics.jsonl")[0]
    assert (record["step"], record["bleu"], record["valid_loss"]) == (7, 20.0, 1.5)


def test_records_of_steps_to_be_taken_again_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    path.write_text('{"step": 1, "loss": 3}\n{"step": 5, "loss": 2}\n{"step": 9, "lo')
    with Reporter(console(), path) as reporter:
        reporter.begin(Progress(step=4))
    assert read_metrics(path) == [{"step": 1, "loss": 3}]


def test_the_loss_shown_is_that_of_a_token(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    with Reporter(console(), path) as reporter:
        reporter.begin(Progress())
        reporter.step(Progress(step=1), loss=3.0, rate=0.1, n_tokens=10, share=0.1)
    assert read_metrics(path)[0]["loss"] == 3.0


def test_tensorboard_gets_its_files(tmp_path: Path) -> None:
    options = write_pairs(tmp_path, sentences()[:60]).options
    heedful.train(
        out=tmp_path / "run", **options, steps=2, quiet=True,
        set=(*TINY, "training.tensorboard=true"),
    )  # fmt: skip
    assert list((tmp_path / "run" / "tensorboard").glob("events.out.tfevents.*"))

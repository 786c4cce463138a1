"""What the user sees while training, and what is kept of it in `metrics.jsonl`."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import IO, Any, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from heedful.errors import RecipeError
from heedful.files import write_atomically
from heedful.training.checkpoint import Progress as RunProgress
from heedful.training.validate import Validation

PLAIN_EVERY = 15.0  # seconds between lines where there is no terminal to draw a bar on
KEEP_EVERY = 2.0  # seconds between training records in metrics.jsonl, at least


class Reporter:
    """Draws a live bar on a terminal, writes a line now and then elsewhere, keeps the metrics."""

    def __init__(self, console: Console, metrics: Path) -> None:
        self.console = console
        self._metrics_path = metrics
        self._metrics: IO[str] | None = None
        self._tensorboard: Any = None
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[detail]}"),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._task = self._bar.add_task("starting", total=None, detail="")
        self._loss_sum, self._tokens, self._since = 0.0, 0, time.monotonic()
        self._kept_at = self._printed_at = self._begun = 0.0
        self._first_share: float | None = None

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *fault: object) -> None:
        self._bar.stop()
        if self._metrics:
            self._metrics.close()
        if self._tensorboard:
            self._tensorboard.close()

    def write_tensorboard(self, folder: Path) -> None:
        """From now on, TensorBoard's files are written too."""
        from torch.utils.tensorboard import SummaryWriter

        self._tensorboard = SummaryWriter(folder)

    def say(self, text: str) -> None:
        """One line, above the bar."""
        self.console.print(Text(text), soft_wrap=True)

    def stage(self, name: str, done: int, total: int | None) -> None:
        """Work before training: reading, learning the vocabulary, tokenising."""
        counted = f"{done:,}" + (f" of {total:,}" if total else "") if done else ""
        left = self._time_left(done / total) if total else ""
        self._bar.update(
            self._task, description=name, total=total, completed=done, detail=f"{counted} {left}"
        )
        if done == 0:
            self._since = time.monotonic()
            if not self.console.is_terminal:
                self.say(f"{name} …")

    def begin(self, progress: RunProgress) -> None:
        """Training starts, or goes on: records of steps that will be taken again are dropped."""
        kept = [r for r in read_metrics(self._metrics_path) if r["step"] <= progress.step]
        write_atomically(self._metrics_path, "".join(json.dumps(r) + "\n" for r in kept))
        self._metrics = self._metrics_path.open("a", encoding="utf-8")
        self._since = self._kept_at = self._printed_at = time.monotonic()
        self._begun = time.monotonic()

    def step(
        self, progress: RunProgress, loss: float, rate: float, n_tokens: int, share: float | None
    ) -> None:
        """After every step; shows and keeps what has come together since the last time."""
        self._loss_sum += loss * n_tokens
        self._tokens += n_tokens
        now = time.monotonic()
        if now - self._kept_at < KEEP_EVERY and progress.step > 1:
            return
        loss, speed = self._loss_sum / self._tokens, self._tokens / max(1e-9, now - self._since)
        self._loss_sum, self._tokens, self._since, self._kept_at = 0.0, 0, now, now
        record = {"loss": loss, "rate": rate, "tokens_per_second": speed}
        self._keep(progress, record)
        left = self._left(share)
        detail = f"loss {loss:.3f}  rate {rate:.1e}  {speed:,.0f} tokens/s  {left}"
        name = f"step {progress.step:,}  epoch {progress.epoch + 1}"
        self._bar.update(
            self._task, description=name, total=100 if share is not None else None,
            completed=100 * (share or 0), detail=detail,
        )  # fmt: skip
        if not self.console.is_terminal and now - self._printed_at >= PLAIN_EVERY:
            self._printed_at = now
            self.say(f"{name}  {detail}")

    def validation(self, progress: RunProgress, result: Validation, *, is_best: bool) -> None:
        """One line of figures, and two sample translations."""
        self._keep(progress, {"valid_loss": result.loss, "bleu": result.bleu, "chrf": result.chrf})
        star = "  ★ best so far" if is_best else ""
        self.say(
            f"step {progress.step:,}: validation loss {result.loss:.3f}, "
            f"BLEU {result.bleu:.1f}, chrF {result.chrf:.1f}{star}"
        )
        for sample in result.samples:
            self.say(f"    {_short(sample.source)}")
            self.say(f"      → {_short(sample.translation)}")
            self.say(f"      = {_short(sample.reference)}")
        self._since = time.monotonic()  # validating is not training: keep it out of tokens/s
        self._loss_sum, self._tokens = 0.0, 0

    def _keep(self, progress: RunProgress, figures: dict[str, float]) -> None:
        assert self._metrics is not None
        where = {
            "step": progress.step,
            "epoch": progress.epoch,
            "seconds": round(progress.seconds, 3),
        }
        self._metrics.write(json.dumps(where | figures) + "\n")
        self._metrics.flush()
        if self._tensorboard:
            for name, value in figures.items():
                self._tensorboard.add_scalar(name, value, progress.step)

    def _left(self, share: float | None) -> str:
        """From the pace of this session: what an earlier one did says nothing of this machine."""
        if self._first_share is None:
            self._first_share = share
        if share is None or self._first_share is None or share <= self._first_share:
            return ""
        gone = time.monotonic() - self._begun
        return _duration(gone * (1 - share) / (share - self._first_share)) + " left"

    def _time_left(self, share: float) -> str:
        if share <= 0:
            return ""
        return _duration((time.monotonic() - self._since) * (1 - share) / share) + " left"


def read_metrics(path: Path) -> list[dict[str, Any]]:
    """The records of a run; a last line that a crash cut short is passed over."""
    records = []
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except FileNotFoundError:
        return []
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and isinstance(record.get("step"), int):
            records.append(record)
    return records


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _short(text: str, longest: int = 160) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def check_tensorboard() -> None:
    """Whether TensorBoard's files can be written here."""
    try:
        import torch.utils.tensorboard  # noqa: F401 only to see whether it can be
    except ImportError:
        raise RecipeError(
            "training.tensorboard = true needs TensorBoard: pip install 'heedful[tensorboard]'"
        ) from None

"""One member's training, in a process of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from heedful.errors import HeedfulError, Interrupted, ModelFolderError
from heedful.model_folder.card import CONFIG, read_card
from heedful.training.options import TrainOptions
from heedful.training.run_folder import RunFolder


def train_member(name: str, run: Path, data: Path, options: TrainOptions) -> None:
    """To the end, however often it was begun; raises HeedfulError with what it told if it fails."""
    if is_finished(run):
        return
    command = [sys.executable, "-m", "heedful", "train", f"--out={run}"]
    if RunFolder(run).holds_a_run():
        command.append("--resume")
    else:
        command += [f"--model={name}", f"--data={data}", *options.flags()]
    started = time.monotonic()
    # In a session of its own: what the terminal sends reaches it once, by way of us.
    with (
        subprocess.Popen(
            command,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        ) as process,
        _passing_on(process.send_signal) as caught,
    ):
        _, told = process.communicate()
    if caught:
        raise Interrupted(caught[0])
    if process.returncode:
        seconds = time.monotonic() - started
        last = told.strip().splitlines()[-1:] or [f"ended by {process.returncode}"]
        raise HeedfulError(f"{last[0].removeprefix('heedful: ')} (after {seconds:.0f} s)")


def is_finished(run: Path) -> bool:
    """Whether it was trained to its end."""
    if not (run / CONFIG).exists():
        return False
    try:
        return bool(read_card(run).training.get("finished"))
    except ModelFolderError:
        return False


@contextmanager
def _passing_on(send: Callable[[int], None]) -> Iterator[list[int]]:
    """SIGINT and SIGTERM go to the process, which saves and ends; here they are only noted."""
    caught: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        caught.append(number)
        send(number)

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield caught
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

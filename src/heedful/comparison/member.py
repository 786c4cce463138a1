"""One member's training, in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from heedful.errors import HeedfulError, Interrupted, ModelFolderError
from heedful.model_folder.card import CONFIG, read_card
from heedful.training.options import TrainOptions
from heedful.training.run_folder import PART_OF_MORE, RunFolder


def train_member(name: str, run: Path, data: Path, options: TrainOptions) -> None:
    """To the end, however often it was begun; raises HeedfulError with what it told if it fails."""
    if is_finished(run):
        return
    command = [sys.executable, "-P", "-m", "heedful", "train", f"--out={run}"]
    if RunFolder(run).holds_a_run():
        command += ["--resume", *(["--quiet"] if options.quiet else [])]
    else:
        command += [f"--model={name}", f"--data={data}", *options.flags()]
    started = time.monotonic()
    # In a session of its own: what the terminal sends reaches it once, by way of us.
    with (
        relayed_signals() as relay,
        subprocess.Popen(
            command,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
            env=os.environ | {PART_OF_MORE: "1"},
        ) as process,
    ):
        relay.to(process)
        _, told = process.communicate()
    if relay.caught:
        raise Interrupted(relay.caught[0])
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


class Relay:
    """SIGINT, SIGTERM and SIGHUP tell the process to save and end; here they are only noted."""

    def __init__(self) -> None:
        self.caught: list[int] = []
        self._process: subprocess.Popen[str] | None = None

    def note(self, number: int, frame: FrameType | None) -> None:
        """Handles a signal, also one that comes before there is a process."""
        self.caught.append(number)
        self._pass_on()

    def to(self, process: subprocess.Popen[str]) -> None:
        """From now on."""
        self._process = process
        if self.caught:
            self._pass_on()

    def _pass_on(self) -> None:
        if self._process is not None:
            self._process.send_signal(
                signal.SIGINT if self.caught[-1] == signal.SIGINT else signal.SIGTERM
            )


@contextmanager
def relayed_signals() -> Iterator[Relay]:
    relay = Relay()
    names = ("SIGINT", "SIGTERM", "SIGHUP")  # not every system has the last
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, relay.note) for number in numbers}
    try:
        yield relay
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

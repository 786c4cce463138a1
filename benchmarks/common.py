"""What the benchmarks share: the data's folder, the command, the comparison, the result file."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

RESULTS = Path(__file__).parent / "results"


def data_folder() -> Path:
    """The real corpora."""
    folder = os.environ.get("HEEDFUL_DATA", "")
    if not Path(folder).is_dir() or not folder:
        sys.exit("HEEDFUL_DATA must name the folder with the corpora")
    return Path(folder)


def heedful(*arguments: str | Path, capture: bool = False) -> str:
    """Runs the command as a user would."""
    command = [sys.executable, "-m", "heedful", *map(str, arguments)]
    done = subprocess.run(command, check=True, text=True, capture_output=capture)
    return done.stdout if capture else ""


class Alike(NamedTuple):
    """So many of them."""

    n: int
    of: int

    def __str__(self) -> str:
        return f"{self.n} of {self.of}"

    @property
    def all(self) -> bool:
        """Whether none differs."""
        return self.n == self.of


def same(texts: list[str], ours: list[str], theirs: list[str]) -> Alike:
    """How many are; the others are shown."""
    differ = [row for row in zip(texts, ours, theirs, strict=True) if row[1] != row[2]]
    for row in differ:
        print("\n  ".join(row), file=sys.stderr)
    return Alike(len(texts) - len(differ), len(texts))


def keep(name: str, figures: dict[str, Any], *, show: bool = True) -> None:
    """Writes the result beside what it was measured on and by which command."""
    machine = {"processor": _processor(), "cores": os.cpu_count()}
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(
        {"machine": machine, "command": command()} | figures, indent=1, ensure_ascii=False
    )
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    for key, value in figures.items() if show else ():
        print(f"{key:<24} {value}")


def command() -> str:
    """What was called, without the folders of this machine."""
    return " ".join([f"benchmarks/{Path(sys.argv[0]).name}", *(Path(a).name for a in sys.argv[1:])])


def _processor() -> str:
    """Its name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n")
    except OSError:
        lines = []
    named = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()

"""What the benchmarks share: the data's folder, the command, the result file."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

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


def keep(name: str, figures: dict[str, Any]) -> None:
    """Writes the result beside what it was measured on."""
    machine = {"processor": platform.processor() or platform.machine(), "cores": os.cpu_count()}
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps({"machine": machine} | figures, indent=1, ensure_ascii=False)
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    for key, value in figures.items():
        print(f"{key:<24} {value}")

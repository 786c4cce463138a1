"""What every study leaves in its folder: figures to compute with, and a report to read."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from heedful.errors import InputError
from heedful.files import write_atomically


def make_room(out: Path) -> None:
    """Before the work, which would be lost otherwise."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out):
            pass
    except OSError as error:
        raise InputError(f"nothing can be written to {out} ({error}): give another --out") from None


def write_study(out: Path, name: str, figures: Any, text: Sequence[str], console: Console) -> Path:
    """Writes NAME.json and report.md, whose paragraphs and tables are `text`, and shows the latter
    -> the report. Its picture is NAME.png."""
    write_atomically(out / f"{name}.json", json.dumps(figures, ensure_ascii=False) + "\n")
    report, content = out / "report.md", "\n\n".join([*text, f"![{name}]({name}.png)"])
    write_atomically(report, content + "\n")
    console.print(content, markup=False, soft_wrap=True)
    console.print(f"report: {report}", markup=False, soft_wrap=True)
    return report


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Of Markdown; the columns after the first `left` are numbers."""
    lines = [heads, ["---"] * left + ["---:"] * (len(heads) - left), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)

"""How well does `heedful demo` learn its two languages, and in what time?

python benchmarks/demo.py [180s]

Ends with an error if "it" prefers its true noun more seldom than promised.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from common import heedful, keep

LANGUAGES = ("fr", "ko")
KEPT = (
    "sentences",
    "exact_match",
    "exact_match_unseen_combinations",
    "pronouns",  # in Korean: nouns that return
    "pronouns_right",
    "it_finds_its_noun",
    "bleu",
)

LEAST = {"it_finds_its_noun": 95.0}
"""What is promised, in percent."""


def demo(language: str, budget: str, folder: Path) -> dict[str, Any]:
    """The whole demo, as a user runs it -> its figures, in percent, and its seconds."""
    out = folder / language
    started = time.monotonic()
    heedful("demo", "--to", language, "--budget", budget, "--out", out)
    seconds = time.monotonic() - started
    found = json.loads((out / "demo.json").read_text(encoding="utf-8"))
    return {"seconds": round(seconds)} | {name: round(found[name], 2) for name in KEPT}


def broken(figures: dict[str, dict[str, Any]]) -> list[str]:
    """The promises that some language does not keep."""
    return [
        f"{language}: {name} {found[name]} %, at least {least} % is promised"
        for language, found in figures.items()
        for name, least in LEAST.items()
        if not found[name] >= least
    ]


def main() -> None:
    """French, then Korean; keeps the figures of both, and fails if a promise is broken."""
    budget = sys.argv[1] if len(sys.argv) > 1 else "180s"
    folder = Path(tempfile.mkdtemp())
    figures = {language: demo(language, budget, folder) for language in LANGUAGES}
    keep("demo", {"budget": budget} | figures)
    shutil.rmtree(folder)
    if wrong := broken(figures):
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()

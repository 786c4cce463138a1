"""`heedful evaluate`: translate lines whose translations are known, and say how good it is."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.text import Text

from heedful.batches.prepared import also_in_training
from heedful.errors import InputError, ModelFolderError
from heedful.evaluation import compare, evaluate, show
from heedful.evaluation.names import Tokenize
from heedful.text.corpus import ParallelCorpus
from heedful.text.parts import tell_from
from heedful.training.run_folder import RunFolder
from heedful.translator import Translator, load

BLOCK = 512  # lines between two moves of the progress bar


def judge(
    runs: list[Path],
    source: str,
    reference: str,
    *,
    beam: int | None,
    tokenize: Tokenize,
    as_json: bool,
    how: dict[str, Any],
) -> None:
    """Prints the report of one run, or of several and how they compare. `how` is for `load`."""
    if not runs:
        raise InputError("which run? heedful evaluate RUN --source FILE --reference FILE")
    _check_distinct(runs)
    corpus = ParallelCorpus(source=source, target=reference)
    pairs = list(corpus)
    sources, references = [s for s, _ in pairs], [t.strip() for _, t in pairs]
    console = Console(highlight=False, quiet=as_json)
    reports: dict[str, Any] = {}
    systems: dict[str, list[str]] = {}
    for run in runs:
        translator = load(run, **how)
        warn_of_overlap(run, sources)
        texts = _translate_all(
            translator, sources, str(run), {} if beam is None else {"beam": beam}
        )
        words = translator.card.text.target_tokens == "words"
        report = evaluate(texts, references, words=words, tokenize=tokenize)
        reports[str(run)], systems[str(run)] = report.to_dict(), texts
        console.print(Text(str(run), style="bold"))
        show(report, console)
    result: dict[str, Any] = {"runs": reports}
    if len(systems) > 1:
        comparison = compare(systems, references, tokenize=tokenize)
        show(comparison, console)
        result["comparison"] = comparison.to_dict()
    if as_json:
        print(
            json.dumps(reports[str(runs[0])] if len(reports) == 1 else result, ensure_ascii=False)
        )


def _check_distinct(runs: list[Path]) -> None:
    seen: dict[Path, Path] = {}
    for run in runs:
        first = seen.setdefault(run.resolve(), run)
        if first is not run:
            raise InputError(f"{first} and {run} are the same run: a comparison wants others")


def warn_of_overlap(run: Path, sources: list[str]) -> None:
    """Test lines that the model was trained on are counted, where the training data is at hand."""
    try:
        data, _ = RunFolder(run).remembered_data()
        overlap = also_in_training(data, sources)
    except (ModelFolderError, OSError):
        return
    if overlap:
        print(
            f"heedful: warning: {overlap:,} of {len(sources):,} source lines also stand in the "
            f"training data of {run}; scores on them say little",
            file=sys.stderr,
        )


def _translate_all(
    translator: Translator, sources: list[str], name: str, options: dict[str, Any]
) -> list[str]:
    console = Console(stderr=True)
    starts = range(0, len(sources), BLOCK)
    blocks = track(
        starts,
        f"translating with {escape(name)}",
        console=console,
        disable=not console.is_terminal,
    )
    found: list[str] = []
    for start in blocks:
        block = sources[start : start + BLOCK]
        translated = translator.translate(block, on_cut=tell_from(start + 1), **options)
        found += [translation.text for translation in translated]
    return found

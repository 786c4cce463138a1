"""`heedful evaluate`: judge runs, or files of translations, by known translations."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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
from heedful.evaluation.tokenizers import check_tokenizer
from heedful.text.corpus import ParallelCorpus
from heedful.text.lines import read_lines
from heedful.text.parts import tell_from
from heedful.text.paths import STANDARD_INPUT
from heedful.training.run_folder import RunFolder
from heedful.translator import Translator, load

BLOCK = 512  # lines between two moves of the progress bar
USAGE = (
    "heedful evaluate RUN --source FILE --reference FILE, or "
    "heedful evaluate --hypothesis FILE --reference FILE"
)


@dataclass(frozen=True, kw_only=True)
class Judging:
    """What is judged: runs, which translate the source, and files of translations."""

    reference: str
    runs: Sequence[Path] = ()
    source: str | None = None
    hypotheses: Sequence[str] = ()

    def check(self) -> None:
        """Raise an error if the parts do not go together."""
        if not self.runs and not self.hypotheses:
            raise InputError(f"nothing to judge: {USAGE}")
        if self.runs and self.source is None:
            raise InputError(
                f"{self.runs[0]}: a run is judged by lines that it translates: give them with "
                f"--source. To judge a file of translations, put --hypothesis before its name"
            )
        if self.source is not None and not self.runs:
            raise InputError(
                "--source is for runs, which translate it, and no run is named; leave it out to "
                "judge the files alone"
            )
        files = [name for name in (self.source, self.reference, *self.hypotheses) if name]
        if files.count(STANDARD_INPUT) > 1:
            raise InputError(
                "several files are '-', but standard input holds one file only. Name the others"
            )
        self._check_distinct()

    def _check_distinct(self) -> None:
        seen: dict[Path, Path] = {}
        for path in [*self.runs, *map(Path, self.hypotheses)]:
            first = seen.setdefault(path.resolve(), path)
            if first is not path:
                kind = "run" if path in self.runs else "file"
                raise InputError(
                    f"{first} and {path} are the same {kind}: a comparison wants others"
                )


@dataclass(frozen=True)
class System:
    """A system's name and its translations of the test lines."""

    name: str
    texts: list[str]
    words: bool
    """Whether its lines are made of words, so that their error rate says something."""


def judge(
    judging: Judging,
    *,
    beam: int | None,
    tokenize: Tokenize,
    words: bool | None,
    ter: bool | None,
    as_json: bool,
    how: dict[str, Any],
) -> None:
    """Print the report of one system, or of several and how they compare. `how` is for `load`;
    `words` and `ter` None leave these scores to what is judged."""
    judging.check()
    check_tokenizer(tokenize)
    sources, references = _test_lines(judging)
    console = Console(highlight=False, quiet=as_json)
    reports: dict[str, Any] = {}
    systems: dict[str, list[str]] = {}
    for system in _systems(judging, sources, {} if beam is None else {"beam": beam}, how):
        has_words = system.words if words is None else words
        report = evaluate(system.texts, references, words=has_words, tokenize=tokenize, ter=ter)
        reports[system.name], systems[system.name] = report.to_dict(), system.texts
        console.print(Text(system.name, style="bold"))
        show(report, console)
    result: dict[str, Any] = {"systems": reports}
    if len(systems) > 1:
        comparison = compare(systems, references, tokenize=tokenize, ter=ter)
        show(replace(comparison, notes=()), console)  # they stand below the reports
        result["comparison"] = comparison.to_dict()
    if as_json:
        only = next(iter(reports.values()))
        print(json.dumps(only if len(reports) == 1 else result, ensure_ascii=False))


def _test_lines(judging: Judging) -> tuple[list[str], list[str]]:
    """The source lines, of which there are none without runs, and the references."""
    if judging.source is None:
        return [], list(read_lines(judging.reference))
    pairs = list(ParallelCorpus(source=judging.source, target=judging.reference))
    return [source for source, _ in pairs], [target for _, target in pairs]


def _systems(
    judging: Judging, sources: list[str], options: dict[str, Any], how: dict[str, Any]
) -> Iterator[System]:
    """Runs first, each translating when its turn comes; then files."""
    files = {name: list(read_lines(name)) for name in judging.hypotheses}  # faults come first
    for run in judging.runs:
        translator = load(run, **how)
        warn_of_overlap(run, sources)
        texts = _translate_all(translator, sources, str(run), options)
        yield System(str(run), texts, translator.card.text.target_tokens == "words")
    for name, lines in files.items():
        yield System(name, lines, words=False)


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

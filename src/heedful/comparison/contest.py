"""`heedful compare`: every member is trained on the same data, subwords and time, then judged.

Each trains in a process of its own: whatever becomes of one, the others go on. What is done is kept
in the folder; the same command goes on where it was stopped.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from heedful.batches.prepare import text_fingerprint
from heedful.batches.prepared import Prepared
from heedful.comparison.judged import Exam, Judged, judge_member, read_judged
from heedful.comparison.member import is_finished, train_member
from heedful.comparison.report import write_report
from heedful.demo.corpus import DemoCorpus
from heedful.demo.judge import always_the_same
from heedful.demo.text import write_text
from heedful.errors import HeedfulError, InputError, Interrupted
from heedful.files import write_atomically
from heedful.model_folder.card import read_card
from heedful.training.options import TrainOptions
from heedful.training.preparing import prepare_text
from heedful.training.reporter import Reporter
from heedful.training.run_folder import RunFolder

ASKED = "contest.json"


@dataclass(frozen=True)
class Contest:
    """Who is compared, on what, how long, and where it is written."""

    models: tuple[str, ...]
    training: TrainOptions
    """What all have in common; `out` is the report's folder."""
    test: tuple[list[str], list[str]] | None = None
    """Sources and references; the validation lines unless given."""
    demo: DemoCorpus | None = None
    """Where the demo's sentences are compared: they are written into files first."""

    @property
    def out(self) -> Path:
        return self.training.out

    @property
    def data(self) -> Path:
        return self.training.data or self.out / "data"

    def run_of(self, name: str) -> Path:
        """Where a member is trained."""
        return self.out / "runs" / name

    def asked(self) -> dict[str, Any]:
        """What must be the same whenever it goes on; members may be added."""
        options = replace(self.training, quiet=False)
        corpus = options.corpus()
        assert corpus is not None
        # The demo's text follows from its settings, and is not there yet.
        text = "" if self.demo else text_fingerprint(corpus, options.valid_corpus())
        vectors = [options.source_embeddings, options.target_embeddings]
        return {
            "flags": options.flags(),
            "recipe": _digest(options.recipe.read_text("utf-8")) if options.recipe else None,
            "text": _digest(text),
            "vectors": [_unread(path) for path in vectors if path],
            "test": _digest(json.dumps(self.test, ensure_ascii=False)),
        }

    @property
    def asked_of_training(self) -> dict[str, Any]:
        """What flags, settings and recipe say of it, which is the same for all."""
        sections = replace(self.training, model=self.models[0]).sections()
        return sections.get("training", {})

    def conditions(self) -> str:
        """The same for all, in words."""
        training = self.asked_of_training
        time = [f"{training['budget']:g} seconds"] if "budget" in training else []
        steps = [f"{training['steps']:,} steps"] if "steps" in training else []
        lines = (
            "lines that none of them was trained on or chosen by"
            if self.test
            else "the validation lines, by which the best weights were chosen too: --test-source "
            "and --test-target name others"
        )
        return f"Each was to train for {' and '.join(time + steps)}, and is judged on {lines}."


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _unread(path: Path) -> list[object]:
    """What tells one file from another, without its content."""
    facts = path.stat()
    return [str(path.resolve()), facts.st_size, facts.st_mtime_ns]


def run_contest(contest: Contest, *, command: str, console: Console | None = None) -> Path:
    """Trains, judges and reports -> the report."""
    console = console or Console(highlight=False, quiet=contest.training.quiet)
    _begin(contest)
    data = _prepare(contest, console)
    try:
        failed = _train_all(contest, console)
    except Interrupted:
        console.print(
            Text(f"the comparison goes on by the same command: {command}"), soft_wrap=True
        )
        raise
    judged = _judge_all(contest, data, failed, console)
    report = write_report(
        contest.out,
        judged,
        failed,
        command=command,
        conditions=contest.conditions(),
        blind=always_the_same(contest.demo.test) if contest.demo else None,
    )
    console.print(Text(f"report: {report}"), soft_wrap=True)
    if failed:
        raise HeedfulError(
            f"{len(failed)} of {len(contest.models)} failed: {', '.join(failed)}; {report} says why"
        )
    return report


def _begin(contest: Contest) -> None:
    """The folder is this comparison's own, from now on or since before; nobody else is at it."""
    kept, asked = contest.out / ASKED, json.loads(json.dumps(contest.asked()))
    if kept.exists():
        other = _differences(json.loads(kept.read_text(encoding="utf-8")), asked)
        if other:
            raise InputError(
                f"{contest.out} holds another comparison ({'; '.join(other)}): give what it was "
                f"begun with, or choose another --out"
            )
        for name in contest.models:
            RunFolder(contest.run_of(name)).check_free()
        return
    contest.out.mkdir(parents=True, exist_ok=True)
    write_atomically(kept, json.dumps(asked, ensure_ascii=False, indent=1) + "\n")


def _differences(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """What is not as it was, in words."""
    gone = [f"{flag} then" for flag in before["flags"] if flag not in now["flags"]]
    come = [f"{flag} now" for flag in now["flags"] if flag not in before["flags"]]
    files = {
        "recipe": "another recipe",
        "text": "other text, or it has changed",
        "vectors": "other vectors",
        "test": "other test lines",
    }
    return gone + come + [words for key, words in files.items() if before[key] != now[key]]


def _prepare(contest: Contest, console: Console) -> Prepared:
    """Before the clock of the first one starts: its time is as long as the others'."""
    if contest.demo:
        write_text(contest.demo, str(contest.training.target_lang), contest.out / "text")
    options = replace(contest.training, model=contest.models[0])
    with Reporter(console, contest.out / "preparing.jsonl") as reporter:
        return prepare_text(options, options.sections(), contest.data, reporter)


def _train_all(contest: Contest, console: Console) -> dict[str, str]:
    """One after the other -> those that failed, and why."""
    failed: dict[str, str] = {}
    for name in contest.models:
        console.rule(Text(announcement(contest, name)))
        try:
            train_member(name, contest.run_of(name), contest.data, contest.training)
        except HeedfulError as error:
            failed[name] = str(error)
            console.print(Text(f"{name} failed: {error}", style="red"), soft_wrap=True)
    return failed


def announcement(contest: Contest, name: str) -> str:
    """Who is next, and how long it takes from here on."""
    place = contest.models.index(name) + 1
    text = f"{name}: {place} of {len(contest.models)}"
    budget = contest.asked_of_training.get("budget")
    if budget is None:
        return text
    open_ones = [n for n in contest.models[place - 1 :] if not is_finished(contest.run_of(n))]
    minutes = round(len(open_ones) * budget / 60)
    return f"{text}, about {minutes} minute{'s' * (minutes != 1)} of training to come"


def _judge_all(
    contest: Contest, data: Prepared, failed: dict[str, str], console: Console
) -> list[Judged]:
    found = []
    exam = _exam(contest, data)
    names = [name for name in contest.models if name not in failed]
    for n, name in enumerate(names, start=1):
        kept, run = contest.out / "members" / f"{name}.json", contest.run_of(name)
        judged = read_judged(kept)
        if judged is None or judged.weights_digest != read_card(run).weights_digest:
            console.print(Text(f"judging {name} ({n} of {len(names)}) …"))
            try:
                judged = judge_member(
                    name,
                    run,
                    exam,
                    contest.out / "pictures",
                    threads=contest.training.threads,
                    device=contest.training.device or "auto",
                )
            except Exception as error:
                failed[name] = f"could not be judged: {type(error).__name__}: {error}"
                console.print(Text(f"{name} {failed[name]}", style="red"), soft_wrap=True)
                continue
            judged.write(kept)
        found.append(judged)
    return found


def _exam(contest: Contest, data: Prepared) -> Exam:
    lines = list(data.valid_text)
    sources, references = contest.test or ([s for s, _ in lines], [t.strip() for _, t in lines])
    return Exam(sources, references, tuple(contest.demo.test) if contest.demo else (), data)

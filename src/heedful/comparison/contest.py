"""`heedful compare`: every member is trained on the same data, subwords and time, then judged.

Each trains in a process of its own: whatever becomes of one, the others go on. What is done is kept
in the folder; the same command goes on where it was stopped.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from heedful.comparison.judged import Judged, judge_member, read_judged
from heedful.comparison.member import is_finished, train_member
from heedful.comparison.report import write_report
from heedful.demo.corpus import Example
from heedful.errors import HeedfulError, InputError
from heedful.files import write_atomically
from heedful.training.config import parse_duration
from heedful.training.options import TrainOptions
from heedful.training.preparing import prepare_text
from heedful.training.reporter import Reporter

ASKED = "contest.json"


@dataclass(frozen=True)
class Contest:
    """Who is compared, on what, how long, and where it is written."""

    models: tuple[str, ...]
    training: TrainOptions
    """What all have in common; `out` is the report's folder."""
    test: tuple[list[str], list[str]] | None = None
    """Sources and references; the validation lines unless given."""
    examples: tuple[Example, ...] = ()
    """The demo's test sentences, for which it is known what "it" means."""

    @property
    def out(self) -> Path:
        return self.training.out

    @property
    def data(self) -> Path:
        return self.training.data or self.out / "data"

    def run_of(self, name: str) -> Path:
        """Where a member is trained."""
        return self.out / "runs" / name

    def asked(self) -> dict[str, object]:
        """What must be the same whenever it goes on; members may be added."""
        test = json.dumps(self.test, ensure_ascii=False).encode()
        flags = replace(self.training, threads=None, device=None, quiet=False).flags()
        return {"flags": flags, "test": hashlib.sha256(test).hexdigest()}


def run_contest(contest: Contest, *, command: str, console: Console | None = None) -> Path:
    """Trains, judges and reports -> the report."""
    console = console or Console(highlight=False, quiet=contest.training.quiet)
    _begin(contest)
    _prepare(contest, console)
    failed: dict[str, str] = {}
    for name in contest.models:
        _announce(contest, name, console)
        try:
            train_member(name, contest.run_of(name), contest.data, contest.training)
        except HeedfulError as error:
            failed[name] = str(error)
            console.print(Text(f"{name} failed: {error}", style="red"), soft_wrap=True)
    judged = _judge_all(contest, failed, console)
    report = write_report(contest.out, judged, failed, command=command)
    console.print(Text(f"report: {report}"), soft_wrap=True)
    if not judged:
        raise HeedfulError(f"no member could be trained and judged; {report} says why")
    return report


def _begin(contest: Contest) -> None:
    """The folder is this comparison's own, from now on or since before."""
    contest.out.mkdir(parents=True, exist_ok=True)
    kept, asked = contest.out / ASKED, contest.asked()
    if kept.exists():
        before = json.loads(kept.read_text(encoding="utf-8"))
        if before != asked:
            raise InputError(
                f"{contest.out} holds a comparison of other text, settings or test lines: give "
                f"what it was begun with, or choose another --out"
            )
        return
    write_atomically(kept, json.dumps(asked, ensure_ascii=False, indent=1) + "\n")


def _prepare(contest: Contest, console: Console) -> None:
    """Before the clock of the first one starts: its time is as long as the others'."""
    options = replace(contest.training, model=contest.models[0])
    with Reporter(console, contest.out / "preparing.jsonl") as reporter:
        prepare_text(options, options.sections(), contest.data, reporter)


def _announce(contest: Contest, name: str, console: Console) -> None:
    place = contest.models.index(name) + 1
    text = f"{name}: {place} of {len(contest.models)}"
    if contest.training.budget is not None:
        open_ones = [n for n in contest.models[place - 1 :] if not is_finished(contest.run_of(n))]
        minutes = len(open_ones) * parse_duration(contest.training.budget) / 60
        text += f", about {minutes:.0f} minutes of training to come"
    console.rule(Text(text))


def _judge_all(contest: Contest, failed: dict[str, str], console: Console) -> list[Judged]:
    found = []
    names = [name for name in contest.models if name not in failed]
    for n, name in enumerate(names, start=1):
        kept = contest.out / "members" / f"{name}.json"
        judged = read_judged(kept)
        if judged is None:
            console.print(Text(f"judging {name} ({n} of {len(names)}) …"))
            try:
                judged = judge_member(name, contest.run_of(name), contest)
            except Exception as error:
                failed[name] = f"could not be judged: {type(error).__name__}: {error}"
                console.print(Text(f"{name} {failed[name]}", style="red"), soft_wrap=True)
                continue
            judged.write(kept)
        found.append(judged)
    return found

"""What tests of whole runs share: made-up languages, tiny models, and the command in a process."""

from __future__ import annotations

import itertools
import json
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from heedful.training.pace import Clock

TINY = ("model.n_layers=1", "model.d_model=32", "model.d_ff=64", "model.n_heads=2")
"""Settings of a model that trains in a blink."""

LIKE_A_BUDGET = (
    *TINY, "model.pre_norm=true", "training.optimiser=muon", "training.schedule=linear",
    "training.batch_tokens=1024", "training.peak_rate=0.01",
)  # fmt: skip
"""The same with pre-norm layers and Muon, as budgets train."""

TINY_OF = {
    "rnn": ("model.kind=rnn", "model.n_layers=2", "model.d_model=24", "model.bidirectional=true"),
    "bahdanau": ("model.kind=bahdanau", "model.n_layers=1", "model.d_model=24"),
    "luong": ("model.kind=luong", "model.n_layers=2", "model.d_model=24"),
    "conv": ("model.kind=conv", "model.n_layers=2", "model.d_model=24"),
    "transformer": TINY,
}
"""The same for each of the family."""

NOUNS = dict(
    zip(
        ["cat", "dog", "bird", "horse", "child", "woman"],
        ["kat", "hund", "bir", "cheva", "kid", "fem"],
        strict=True,
    )
)
VERBS = dict(
    zip(["sees", "hears", "loves", "finds"], ["vidas", "aŭdas", "amas", "trovas"], strict=True)
)
PLACES = dict(zip(["here", "there", "now"], ["ĉi", "tie", "nun"], strict=True))


@dataclass(frozen=True)
class Answer:
    """What a command left behind."""

    code: int
    out: str
    err: str


Command = Callable[..., Answer]


class Files(TypedDict):
    """The text that `heedful.train` takes."""

    source: str
    target: str


@dataclass(frozen=True)
class Text:
    """A parallel corpus on disk."""

    source: Path
    target: Path

    @property
    def flags(self) -> tuple[str, ...]:
        """As the command wants it."""
        return "--source", str(self.source), "--target", str(self.target)

    @property
    def options(self) -> Files:
        """As `heedful.train` wants it."""
        return {"source": str(self.source), "target": str(self.target)}


def write_pairs(folder: Path, pairs: list[tuple[str, str]]) -> Text:
    """Two files, line by line."""
    folder.mkdir(parents=True, exist_ok=True)
    text = Text(folder / "text.source", folder / "text.target")
    text.source.write_bytes("".join(f"{s}\n" for s, _ in pairs).encode())
    text.target.write_bytes("".join(f"{t}\n" for _, t in pairs).encode())
    return text


def copy_of(path: Path) -> Path:
    """Another file with the same lines beside it: one file cannot be both sides of a corpus."""
    copy = path.with_name(f"{path.name}-copy")
    copy.write_bytes(path.read_bytes())
    return copy


def sentences() -> list[tuple[str, str]]:
    """All 432 sentences of a little language, with their translations, in a seeded order."""
    made = [
        (
            f"The {subject} {verb} the {thing} {place}.",
            f"La {NOUNS[subject]}o {VERBS[verb]} la {NOUNS[thing]}on {PLACES[place]}.",
        )
        for subject, verb, thing, place in itertools.product(NOUNS, VERBS, NOUNS, PLACES)
    ]
    random.Random(1).shuffle(made)
    return made


def backwards(n: int, *, letters: str = "abcdefgh", longest: int = 8) -> list[tuple[str, str]]:
    """Distinct words and their reverses."""
    draw = random.Random(2)
    words: dict[str, None] = {}
    while len(words) < n:
        words["".join(draw.choices(letters, k=draw.randint(3, longest)))] = None
    return [(word, word[::-1]) for word in words]


class TickingClock(Clock):
    """Moves on by a hundredth of a second each time it is read: a budget by it is a number of
    steps, however busy the machine is. A training step reads it about eight times."""

    def __init__(self) -> None:
        self._now = 0.0

    def seconds(self) -> float:
        self._now += 0.01
        return self._now

    def add(self, seconds: float) -> None:
        self._now += seconds


def settings(*changes: str) -> list[str]:
    """`--set` for each, for the command."""
    return [word for change in changes for word in ("--set", change)]


def start(*arguments: object, first: str = "", **options: Any) -> subprocess.Popen[str]:
    """The real command in a process of its own; `first` is Python that runs before it."""
    program = f"{first}\nfrom heedful.__main__ import main\nmain()"
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdin=options.pop("stdin", subprocess.DEVNULL),
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=options.pop("stderr", subprocess.PIPE),
        encoding="utf-8",
        **options,
    )


def run(*arguments: object, first: str = "", patience: float = 120, **options: Any) -> Answer:
    """`start`, and wait for its end, so many seconds at most."""
    with start(*arguments, first=first, **options) as process:
        out, err = process.communicate(timeout=patience)
    return Answer(process.returncode, out, err)


def metrics(folder: Path) -> list[dict[str, Any]]:
    """The records of a run."""
    lines = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its name in it."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def is_told_briefly(answer: Answer) -> bool:
    """An error as users should see it: a line or two that begin with our name, no traceback."""
    lines = answer.err.strip().splitlines()
    return (
        answer.code == 1
        and 1 <= len(lines) <= 2
        and lines[0].startswith("heedful: ")
        and "Traceback" not in answer.err
    )

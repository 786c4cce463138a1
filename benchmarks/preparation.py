"""How fast does text become ids, beside SentencePiece alone on lines that are in memory already?

    python benchmarks/preparation.py [100]

So many megabytes (both sides together) of each of these texts are prepared by `prepare`, from raw
files to memory-mapped ids; learning the vocabulary is not counted:

    demo   sentences of heedful's own generator: few words, which come often
    rare   the same, but every line has a number and a name that hardly come again
    prose  words of Multi30k (where HEEDFUL_DATA is set) as often as there, in new lines, and one
           in a hundred joined to a new one

SentencePiece encodes the same lines with as many threads, and as as many processes, as there are
cores. Everything is done three times in turn; medians are told.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from unittest import mock

import sentencepiece

from common import keep
from heedful.batches.prepare import prepare
from heedful.demo.corpus import generate
from heedful.machine import granted_cores
from heedful.text.config import TextConfig
from heedful.text.corpus import ParallelCorpus
from heedful.text.tokenizer import Tokenizer

ROUNDS = 3
REFERENCE = 24_000_000  # bytes that SentencePiece is timed on
SLICE = 20_000  # lines it gets at a time: the lists it returns would fill the memory

Pairs = Iterator[tuple[str, str]]


def demo(draw: Random) -> Pairs:
    """Again and again the same hundred thousand pairs."""
    pairs = [(e.source, e.target) for e in generate("fr", train=100_000, valid=10, test=10).train]
    while True:
        yield from draw.sample(pairs, len(pairs))


def rare(draw: Random) -> Pairs:
    """No line without words that were never seen."""
    syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er")]
    for source, target in demo(draw):
        name = "".join(draw.choices(syllables, k=4)).capitalize()
        both = [line.split(" ") for line in (source, target)]
        for line in both:
            for word in (name, str(draw.randrange(10**7))):
                line.insert(draw.randrange(len(line) + 1), word)
        yield " ".join(both[0]), " ".join(both[1])


def prose(draw: Random) -> Pairs:
    """Lines as long as those of Multi30k, of its words."""
    folder = Path(os.environ["HEEDFUL_DATA"]) / "multi30k"
    sides = [(folder / f"train.{side}").read_text(encoding="utf-8") for side in ("en", "de")]
    words = [side.split() for side in sides]
    lengths = [len(line.split()) for line in sides[0].split("\n") if line]
    while True:
        n_words = draw.choice(lengths)
        line = [draw.choices(side, k=n_words) for side in words]
        for side in line:
            for at, word in enumerate(side):
                if draw.random() < 0.01:
                    side[at] = word + draw.choice(side).lower()
        yield " ".join(line[0]), " ".join(line[1])


def write(folder: Path, pairs: Pairs, n_bytes: int) -> ParallelCorpus:
    """Two files of so many bytes in all."""
    corpus = ParallelCorpus(folder / "source", folder / "target")
    with (folder / "source").open("wb") as source, (folder / "target").open("wb") as target:
        while source.tell() + target.tell() < n_bytes:
            lines = next(pairs)
            source.write(lines[0].encode() + b"\n")
            target.write(lines[1].encode() + b"\n")
    return corpus


def prepared(folder: Path, corpus: ParallelCorpus) -> tuple[float, float]:
    """-> seconds of learning the vocabulary, and of all the rest."""
    times: dict[str, float] = {}

    def watch(stage: str, done: int, total: int | None) -> None:
        times.setdefault(stage, time.monotonic())

    with mock.patch.object(Tokenizer, "learn", _quick_learner(folder)):
        started = time.monotonic()
        prepare(folder / "data", corpus, None, TextConfig(), seed=1, watch=watch)
        ended = time.monotonic()
    learning = times["tokenising"] - times["learning the vocabulary"]
    (folder / "data" / "facts.json").write_text("{}")  # so that it is made anew the next time
    return learning, ended - started - learning


def _quick_learner(folder: Path) -> Callable[..., Tokenizer]:
    """Learns from a tenth of what `prepare` would, and once only: it is the rest that is timed."""
    model, learn = folder / "data" / "tokenizer.model", Tokenizer.learn
    if model.exists():
        known = Tokenizer.load(model)
        return lambda *_, **__: known
    return lambda lines, **settings: learn(lines[::10], **settings)


def lines_in_memory(folder: Path) -> list[str]:
    """Of both sides, enough to time SentencePiece on."""
    lines = []
    for side in ("source", "target"):
        with (folder / side).open(encoding="utf-8") as file:
            lines += file.read(REFERENCE // 2).split("\n")[:-1]
    return lines


def encode(model: Path, lines: list[str], n_threads: int) -> tuple[float, float]:
    """SentencePiece alone -> when it began, when it ended."""
    processor = sentencepiece.SentencePieceProcessor(model_file=str(model))
    began = time.monotonic()
    for at in range(0, len(lines), SLICE):
        processor.encode(lines[at : at + SLICE], num_threads=n_threads)
    return began, time.monotonic()


def in_threads(model: Path, lines: list[str]) -> float:
    """Seconds with a thread a core."""
    began, ended = encode(model, lines, granted_cores())
    return ended - began


def in_processes(model: Path, lines: list[str]) -> float:
    """Seconds with a process a core; what it takes to start them is not counted."""
    n = granted_cores()
    shares = [(model, lines[i::n], 1) for i in range(n)]
    with get_context("spawn").Pool(n) as pool:
        times = pool.starmap(encode, shares, chunksize=1)
    return max(ended for _, ended in times) - min(began for began, _ in times)


def measure(pairs: Pairs, n_bytes: int) -> dict[str, float]:
    """One text's row of the table."""
    with tempfile.TemporaryDirectory() as path:
        folder = Path(path)
        corpus = write(folder, pairs, n_bytes)
        megabytes = sum((folder / side).stat().st_size for side in ("source", "target")) / 1e6
        lines = lines_in_memory(folder)
        of_lines = sum(len(line.encode()) + 1 for line in lines) / 1e6
        model = folder / "data" / "tokenizer.model"
        learning, rest, threads, processes = [], [], [], []
        for _ in range(ROUNDS):
            seconds = prepared(folder, corpus)
            learning.append(seconds[0])
            rest.append(megabytes / seconds[1])
            threads.append(of_lines / in_threads(model, lines))
            processes.append(of_lines / in_processes(model, lines))
    alone = max(median(threads), median(processes))
    return {
        "megabytes": round(megabytes),
        "prepared_mb_per_s": round(median(rest), 1),
        "sentencepiece_threads_mb_per_s": round(median(threads), 1),
        "sentencepiece_processes_mb_per_s": round(median(processes), 1),
        "ratio": round(median(rest) / alone, 2),
        "seconds_learning_from_a_tenth": round(learning[0], 1),
    }


def main() -> None:
    """All texts."""
    n_bytes = int(float(sys.argv[1]) * 1e6) if len(sys.argv) > 1 else 100_000_000
    texts: dict[str, Callable[[Random], Pairs]] = {"demo": demo, "rare": rare}
    if os.environ.get("HEEDFUL_DATA"):
        texts["prose"] = prose
    rows = {}
    for name, make in texts.items():
        rows[name] = measure(make(Random(1)), n_bytes)
        print(name, rows[name], flush=True)
    keep("preparation", {"cores_used": granted_cores()} | rows)


if __name__ == "__main__":
    main()

"""The text that all peers train on: prepared by heedful, and the same ids written out as words.

Every peer so gets the same tokens of one joint SentencePiece BPE vocabulary, and none spends time
on subwords while it is measured.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common import heedful
from heedful.batches.prepare import prepare
from heedful.batches.store import SIDES
from heedful.demo.corpus import generate
from heedful.text.config import TextConfig
from heedful.text.corpus import ParallelCorpus

VOCABULARY = 8_000
SPECIAL = 4  # heedful's first ids; every peer has its own for them
GENERATED = 29_000  # pairs, as many as Multi30k has


@dataclass(frozen=True)
class Workload:
    """Where the text lies, and what there is of it."""

    name: str
    text: Path  # source, target and vocabulary, ids as words
    heedful: dict[str, Any]  # what heedful.train takes for the same text
    vocabulary: int
    pairs: int
    source_tokens: int  # end marks not counted
    target_tokens: int


def make_workload(folder: Path) -> Workload:
    """The training text of `make_texts`, all of it."""
    texts = make_texts(folder)
    train, valid = texts.train, texts.valid
    data, text = folder / "data", folder / "words"
    prepared = prepare(
        data,
        ParallelCorpus(source=train.source, target=train.target),
        ParallelCorpus(source=valid.source, target=valid.target),
        TextConfig(algorithm="bpe", vocabulary_size=VOCABULARY),
        seed=1,
        watch=lambda stage, done, total: None,
    )
    facts, store = prepared.facts, prepared.train
    text.mkdir()
    for side, rows in zip(SIDES, store.pairs(range(len(store))), strict=True):
        _write(text / side, [" ".join(map(str, row)) for row in rows])
    words = range(SPECIAL, facts.target_vocabulary)
    _write(text / "vocabulary", [f"{word}\t1" for word in words])
    return Workload(
        name=texts.name,
        text=text,
        heedful={
            "source": str(train.source),
            "target": str(train.target),
            "valid_source": str(valid.source),
            "valid_target": str(valid.target),
            "data": str(data),
            # What was asked for: a grammar of few words gives fewer pieces.
            "set": ["text.algorithm=bpe", f"text.vocabulary_size={VOCABULARY}"],
        },
        vocabulary=facts.target_vocabulary,
        pairs=facts.pairs,
        source_tokens=facts.source_tokens,
        target_tokens=facts.target_tokens,
    )


@dataclass(frozen=True)
class Pairs:
    """Two files of lines."""

    source: Path
    target: Path


@dataclass(frozen=True)
class Texts:
    """What to learn from, and what to be tried on."""

    name: str
    train: Pairs
    valid: Pairs
    test: Pairs


def make_texts(folder: Path) -> Texts:
    """Multi30k if HEEDFUL_DATA is set, else as many sentences of heedful's grammar."""
    if corpora := os.environ.get("HEEDFUL_DATA"):
        stems = [Path(corpora) / "multi30k" / name for name in ("train", "val", "test2016")]
        both = [Pairs(stem.with_suffix(".en"), stem.with_suffix(".de")) for stem in stems]
        return Texts("Multi30k En-De", *both)
    made = generate("fr", train=GENERATED, valid=1000, test=1000)
    made_pairs = []
    for name, pairs in (("train", made.train), ("valid", made.valid), ("test", made.test)):
        made_pairs.append(Pairs(folder / f"{name}.en", folder / f"{name}.fr"))
        _write(made_pairs[-1].source, [pair.source for pair in pairs])
        _write(made_pairs[-1].target, [pair.target for pair in pairs])
    return Texts("sentences of heedful's own grammar, En-Fr", *made_pairs)


def tiny_run(texts: Texts, folder: Path, given: Sequence[str], budget: str = "60s") -> Path:
    """The run that was named on the command line, or one of so much time."""
    run = Path(given[0]) if given else folder / "run"
    if not run.exists():
        heedful("train", "--source", texts.train.source, "--target", texts.train.target,
                "--preset", "tiny", "--budget", budget, "--out", run)  # fmt: skip
    return run


def _write(path: Path, lines: Sequence[str]) -> None:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")

"""A folder of prepared data: what was found, tokenizers, token ids, validation lines."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from heedful.batches.store import PairStore
from heedful.errors import ModelFolderError
from heedful.text.sides import load_sides
from heedful.text.tidy import line_hashes, tidy
from heedful.text.tokenizer import Tokenizer

FACTS = "facts.json"
PART = 1 << 20  # hashes looked at at a time


@dataclass(frozen=True)
class Facts:
    """What was found while preparing."""

    fingerprint: str
    origin: str
    text: str  # the fingerprint of the text files alone
    pairs: int  # for training
    valid: int  # set aside, or given
    valid_given: bool
    blank: int  # pairs left out because a side is blank
    too_long: int  # pairs left out because of max_length
    overlap: int  # validation sources that also stand in the training data
    source_tokens: int  # of all training pairs
    target_tokens: int
    max_length: int  # tokens of the longest sentence that may come
    length_ratio: float  # target tokens a source token, in all but one of a thousand pairs
    source_vocabulary: int
    target_vocabulary: int
    joint: bool
    headers: list[str] = field(default_factory=list)  # of files of pairs, left out
    same_source: int = 0  # pairs left out because their source is that of a pair set aside


@dataclass(frozen=True)
class Prepared:
    """The data of a run, ready to train on."""

    facts: Facts
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    train: PairStore
    valid: PairStore
    valid_text: tuple[tuple[str, str], ...]


def open_prepared(folder: Path) -> Prepared:
    """A folder that `prepare` filled before."""
    try:
        facts = Facts(**json.loads((folder / FACTS).read_text()))
        sizes = facts.source_vocabulary, facts.target_vocabulary
        lines = json.loads((folder / "valid.json").read_text(encoding="utf-8"))
        source, target = load_sides(folder)
        return Prepared(
            facts,
            source,
            target,
            train=PairStore(folder, "train", sizes),
            valid=PairStore(folder, "valid", sizes),
            valid_text=tuple((s, t) for s, t in lines),
        )
    except (OSError, ValueError, TypeError) as error:
        raise ModelFolderError(
            f"the prepared data in {folder} is damaged ({error}): delete that folder, "
            f"and it is made again from the text"
        ) from error


def also_in_training(folder: Path, sources: list[str]) -> int:
    """How many of these source lines also stand in the prepared training data."""
    hashes = line_hashes([tidy(source) for source in sources])
    wanted = np.unique(hashes)
    found = np.zeros(len(wanted), np.bool_)
    with (folder / "train.hashes").open("rb") as file:
        # The few are sorted, not the many: on ten million lines 16 times as fast as np.isin.
        while len(wanted) and len(trained := np.fromfile(file, np.uint64, PART)):
            at = np.searchsorted(wanted, trained).clip(max=len(wanted) - 1)
            found[at[wanted[at] == trained]] = True
    return int(found[np.searchsorted(wanted, hashes)].sum())

"""From parallel text to a folder of tokenizers and token ids, made once and then re-used."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path

import numpy as np

from heedful.batches.prepared import (
    FACTS,
    Facts,
    Prepared,
    also_in_training,
    open_prepared,
)
from heedful.batches.store import PairStore, StoreWriter
from heedful.batches.survey import Survey, Watch, survey
from heedful.errors import InputError
from heedful.machine import granted_cores
from heedful.text.config import TextConfig
from heedful.text.corpus import Pair, ParallelCorpus
from heedful.text.crew import encode_all
from heedful.text.packed import id_type, pack
from heedful.text.pair_encoder import Task
from heedful.text.sides import save_sides
from heedful.text.special import TokenKind
from heedful.text.tidy import tidy
from heedful.text.tokenizer import Tokenizer

FORMAT = 2
LONGEST = 512  # tokens; `text.max_length` may ask for more
FEWEST_PAIRS = 20
WORTH_PROCESSES = 8  # blocks; fewer are done before other processes have started

Sides = tuple[Tokenizer, Tokenizer]


def prepare(
    folder: Path,
    corpus: ParallelCorpus,
    valid: ParallelCorpus | None,
    text: TextConfig,
    *,
    seed: int,
    watch: Watch,
    may_replace: bool = True,
) -> Prepared:
    """Fills `folder`, or opens it if it was filled from the same files with the same settings."""
    spool = folder.with_name(folder.name + ".spooled")
    corpus = corpus.spool(spool)
    valid = valid.spool(spool / "valid") if valid else None
    fingerprint = _fingerprint(corpus, valid, text, seed)
    if _holds(folder, fingerprint):
        return open_prepared(folder)
    is_ours = (folder / FACTS).exists() and may_replace
    if folder.exists() and any(folder.iterdir()) and not is_ours:
        raise InputError(
            f"{folder} holds something else, perhaps data prepared from other text or with other "
            f"settings: choose another --data (or --out), or move that folder away"
        )
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        partial.mkdir(parents=True)
        facts = _fill(partial, corpus, valid, text, seed, fingerprint, watch)
        (partial / FACTS).write_text(json.dumps(asdict(facts), indent=1))
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    except OSError as error:
        raise InputError(f"the prepared data could not be written to {folder}: {error}") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        shutil.rmtree(spool, ignore_errors=True)
    return open_prepared(folder)


def text_fingerprint(corpus: ParallelCorpus, valid: ParallelCorpus | None) -> str:
    """Of the files, unread."""
    return corpus.fingerprint() + (valid.fingerprint() if valid else "")


def _fingerprint(
    corpus: ParallelCorpus, valid: ParallelCorpus | None, text: TextConfig, seed: int
) -> str:
    settings = text.model_dump_json(exclude={"source_lang", "target_lang"})  # they change nothing
    parts = [str(FORMAT), text_fingerprint(corpus, valid), str(seed)]
    return hashlib.sha256("\0".join([*parts, settings]).encode()).hexdigest()


def _holds(folder: Path, fingerprint: str) -> bool:
    try:
        return bool(json.loads((folder / FACTS).read_text())["fingerprint"] == fingerprint)
    except (OSError, ValueError, KeyError):
        return False


def _learn(text: TextConfig, sample: list[Pair], seed: int) -> tuple[Tokenizer, Tokenizer]:
    sources, targets = [s for s, _ in sample], [t for _, t in sample]

    def learn(lines: list[str], kind: TokenKind) -> Tokenizer:
        return Tokenizer.learn(
            lines, kind=kind, algorithm=text.algorithm, size=text.vocabulary_size, seed=seed
        )

    if text.is_joint:
        both = learn(sources + targets, text.source_tokens)
        return both, both
    return learn(sources, text.source_tokens), learn(targets, text.target_tokens)


def _fill(
    folder: Path,
    corpus: ParallelCorpus,
    valid: ParallelCorpus | None,
    text: TextConfig,
    seed: int,
    fingerprint: str,
    watch: Watch,
) -> Facts:
    """Survey, vocabulary, ids: everything but `facts.json`, whose content it returns."""
    seen = survey(corpus, seed, watch)
    given = _all_pairs(valid) if valid else []
    aside = [] if valid else _set_aside(seen.pairs, corpus, seed)
    watch("learning the vocabulary", 0, None)
    sides = _learn(text, seen.sample, seed)
    seen.sample.clear()
    save_sides(folder, *sides)
    longest = text.max_length or LONGEST
    set_aside, too_long = _write_training(folder, corpus, sides, longest, aside, seen, watch)
    valid_pairs = given or set_aside
    _write_validation(folder, valid_pairs, sides, longest)

    store = PairStore(folder, "train", (len(sides[0]), len(sides[1])))
    lengths = store.source.lengths, store.target.lengths
    if not len(store):
        raise InputError(
            f"{corpus.describe()}: every pair is longer than text.max_length = {longest} tokens"
        )
    return Facts(
        fingerprint=fingerprint,
        origin=corpus.describe(),
        text=text_fingerprint(corpus, valid),
        pairs=len(store),
        valid=len(valid_pairs),
        valid_given=valid is not None,
        blank=seen.blank,
        too_long=too_long,
        overlap=also_in_training(folder, [s for s, _ in valid_pairs]),
        source_tokens=int(lengths[0].sum(dtype=np.int64)),
        target_tokens=int(lengths[1].sum(dtype=np.int64)),
        max_length=text.max_length or max(int(side.max()) for side in lengths),
        length_ratio=float(np.quantile((lengths[1] + 1) / (lengths[0] + 1), 0.999)),
        source_vocabulary=len(sides[0]),
        target_vocabulary=len(sides[1]),
        joint=sides[0].digest == sides[1].digest,
    )


def _write_training(
    folder: Path,
    corpus: ParallelCorpus,
    sides: Sides,
    longest: int,
    aside: list[int],
    seen: Survey,
    watch: Watch,
) -> tuple[list[Pair], int]:
    """Ids and hashes of all pairs that fit -> those set aside, and how many were too long."""
    set_aside: list[Pair] = []
    too_long = done = 0
    watch("tokenising", 0, seen.pairs)
    setup = sides[0].to_bytes(), sides[1].to_bytes(), longest
    n_processes = granted_cores() if len(seen.usable) >= WORTH_PROCESSES else 1
    results = encode_all(_tasks(corpus, seen, aside), setup, n_processes=n_processes)
    with (
        closing(results),
        StoreWriter(folder, "train") as out,
        (folder / "train.hashes").open("wb") as hashes,
    ):
        for encoded, usable in zip(results, seen.usable, strict=True):
            if encoded.usable != usable:
                raise _changed(corpus)
            out.extend(encoded.source, encoded.target)
            encoded.hashes.tofile(hashes)
            set_aside += encoded.aside
            too_long += encoded.too_long
            done += usable
            watch("tokenising", done, seen.pairs)
    return set_aside, too_long


def _tasks(corpus: ParallelCorpus, seen: Survey, aside: list[int]) -> Iterator[Task]:
    """The blocks of the survey once more; `aside` are numbers of usable pairs, in order."""
    first = at = 0
    for block, usable in zip_longest(corpus.blocks(), seen.usable):
        if block is None or usable is None:
            raise _changed(corpus)
        end = bisect_left(aside, first + usable, lo=at)
        yield Task(block, tuple(number - first for number in aside[at:end]))
        first, at = first + usable, end


def _changed(corpus: ParallelCorpus) -> InputError:
    return InputError(f"{corpus.describe()}: changed while being read. Start again")


def _write_validation(folder: Path, pairs: list[Pair], sides: Sides, longest: int) -> None:
    source, target = (
        pack(tokenizer.encode_batch(list(lines)), id_type(len(tokenizer)))
        for tokenizer, lines in zip(sides, zip(*pairs, strict=True), strict=True)
    )
    fits = np.maximum(source.lengths, target.lengths) <= longest
    if not fits.any():
        raise InputError(f"no validation pair fits into text.max_length = {longest} tokens")
    with StoreWriter(folder, "valid") as out:
        out.extend(source.only(fits), target.only(fits))
    lines = json.dumps(pairs, ensure_ascii=False, indent=0)
    (folder / "valid.json").write_text(lines, encoding="utf-8")


def _all_pairs(corpus: ParallelCorpus) -> list[Pair]:
    """Those with text on both sides."""
    both = [(tidy(source), tidy(target)) for source, target in corpus]
    return [pair for pair in both if all(pair)]


def _set_aside(pairs: int, corpus: ParallelCorpus, seed: int) -> list[int]:
    """Which pairs become the validation set: one in fifty, at least 10 and at most 1,000."""
    if pairs < FEWEST_PAIRS:
        raise InputError(
            f"{corpus.describe()}: {pairs} usable pairs are too few to set some aside for "
            f"validation; give at least {FEWEST_PAIRS}, or --valid-source and --valid-target"
        )
    return sorted(random.Random(seed).sample(range(pairs), min(1000, max(10, pairs // 50))))

"""From parallel text to a folder of tokenizers and token ids, made once and then re-used."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from heedful.batches.prepared import (
    FACTS,
    Facts,
    Prepared,
    also_in_training,
    line_hashes,
    open_prepared,
    tidy,
)
from heedful.batches.store import PairStore, StoreWriter
from heedful.errors import InputError
from heedful.text.config import TextConfig
from heedful.text.corpus import Pair, ParallelCorpus
from heedful.text.sides import save_sides
from heedful.text.special import TokenKind
from heedful.text.tokenizer import Tokenizer

FORMAT = 2
LONGEST = 512  # tokens; `text.max_length` may ask for more
FEWEST_PAIRS = 20
SAMPLE = 200_000  # pairs that the vocabulary is learnt from; more changes little but takes long
BLOCK = 8192  # pairs tokenised at a time

Sides = tuple[Tokenizer, Tokenizer]
Watch = Callable[[str, int, int | None], None]
"""Told (stage, done, total) while it works; total None where nobody knows."""


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


@dataclass
class _Survey:
    pairs: int = 0
    blank: int = 0


def _usable(corpus: ParallelCorpus) -> Iterator[Pair | None]:
    """Tidy pairs; None where a side is blank."""
    for source, target in corpus:
        pair = tidy(source), tidy(target)
        yield pair if all(pair) else None


def _survey(corpus: ParallelCorpus, seed: int, watch: Watch) -> tuple[_Survey, list[Pair]]:
    """Reads all once: counts, checks, and draws an even sample (reservoir sampling)."""
    seen, sample, draw = _Survey(), list[Pair](), random.Random(seed)
    for pair in _usable(corpus):
        if pair is None:
            seen.blank += 1
            continue
        seen.pairs += 1
        if len(sample) < SAMPLE:
            sample.append(pair)
        elif (place := draw.randrange(seen.pairs)) < SAMPLE:
            sample[place] = pair
        if seen.pairs % BLOCK == 0:
            watch("reading the text", seen.pairs, None)
    return seen, sample


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
    seen, sample = _survey(corpus, seed, watch)
    given = [pair for pair in _usable(valid) if pair] if valid else []
    aside = set() if valid else _set_aside(seen.pairs, corpus, seed)
    watch("learning the vocabulary", 0, None)
    sides = _learn(text, sample, seed)
    del sample
    save_sides(folder, *sides)
    longest = text.max_length or LONGEST
    set_aside, too_long = _write_training(folder, corpus, sides, longest, aside, seen.pairs, watch)
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
    aside: set[int],
    total: int,
    watch: Watch,
) -> tuple[list[Pair], int]:
    """Ids and hashes of all pairs that fit -> those set aside, and how many were too long."""
    set_aside: list[Pair] = []
    too_long = done = 0
    pairs = (pair for pair in _usable(corpus) if pair)
    sizes = len(sides[0]), len(sides[1])
    with StoreWriter(folder, "train", sizes) as out, (folder / "train.hashes").open("wb") as hashes:
        while block := list(islice(pairs, BLOCK)):
            numbered = list(enumerate(block, start=done))
            set_aside += [pair for number, pair in numbered if number in aside]
            kept = [pair for number, pair in numbered if number not in aside]
            fitting = _encode_fitting(kept, sides, longest)
            out.extend([s for s, _ in fitting], [t for _, t in fitting])
            line_hashes([s for s, _ in kept]).tofile(hashes)
            too_long += len(kept) - len(fitting)
            done += len(block)
            watch("tokenising", done, total)
    return set_aside, too_long


def _write_validation(folder: Path, pairs: list[Pair], sides: Sides, longest: int) -> None:
    fitting = _encode_fitting(pairs, sides, longest)
    if not fitting:
        raise InputError(f"no validation pair fits into text.max_length = {longest} tokens")
    with StoreWriter(folder, "valid", (len(sides[0]), len(sides[1]))) as out:
        out.extend([s for s, _ in fitting], [t for _, t in fitting])
    lines = json.dumps(pairs, ensure_ascii=False, indent=0)
    (folder / "valid.json").write_text(lines, encoding="utf-8")


def _set_aside(pairs: int, corpus: ParallelCorpus, seed: int) -> set[int]:
    """Which pairs become the validation set: one in fifty, at least 10 and at most 1,000."""
    if pairs < FEWEST_PAIRS:
        raise InputError(
            f"{corpus.describe()}: {pairs} usable pairs are too few to set some aside for "
            f"validation; give at least {FEWEST_PAIRS}, or --valid-source and --valid-target"
        )
    return set(random.Random(seed).sample(range(pairs), min(1000, max(10, pairs // 50))))


def _encode_fitting(
    pairs: list[Pair], sides: Sides, longest: int
) -> list[tuple[list[int], list[int]]]:
    sources = sides[0].encode_batch([s for s, _ in pairs])
    targets = sides[1].encode_batch([t for _, t in pairs])
    both = zip(sources, targets, strict=True)
    return [(s, t) for s, t in both if len(s) <= longest and len(t) <= longest]

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
from heedful.text.corpus import ParallelCorpus
from heedful.text.sides import save_sides
from heedful.text.special import TokenKind
from heedful.text.tokenizer import Tokenizer

FORMAT = 1
LONGEST = 512  # tokens; `text.max_length` may ask for more
FEWEST_PAIRS = 20
SAMPLE = 200_000  # pairs that the vocabulary is learnt from; more changes little but takes long
BLOCK = 8192  # pairs tokenised at a time

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
    fingerprint = _fingerprint(corpus, valid, text, seed)
    if _holds(folder, fingerprint):
        return open_prepared(folder)
    if folder.exists() and any(folder.iterdir()) and not may_replace:
        raise InputError(
            f"{folder} holds something else, perhaps data prepared from other text or with other "
            f"settings: choose another --data, or delete that folder"
        )
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        facts = _fill(partial, corpus, valid, text, seed, fingerprint, watch)
        (partial / "facts.json").write_text(json.dumps(asdict(facts), indent=1))
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    except OSError as error:
        raise InputError(f"the prepared data could not be written to {folder}: {error}") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        shutil.rmtree(spool, ignore_errors=True)
    return open_prepared(folder)


def _fingerprint(
    corpus: ParallelCorpus, valid: ParallelCorpus | None, text: TextConfig, seed: int
) -> str:
    settings = text.model_dump_json(exclude={"source_lang", "target_lang"})  # they change nothing
    parts = [str(FORMAT), corpus.fingerprint(), valid.fingerprint() if valid else "", str(seed)]
    return hashlib.sha256("\0".join([*parts, settings]).encode()).hexdigest()


def _holds(folder: Path, fingerprint: str) -> bool:
    try:
        return bool(json.loads((folder / "facts.json").read_text())["fingerprint"] == fingerprint)
    except (OSError, ValueError, KeyError):
        return False


@dataclass
class _Survey:
    pairs: int = 0
    blank: int = 0


def _usable(corpus: ParallelCorpus) -> Iterator[tuple[str, str] | None]:
    """Tidy pairs; None where a side is blank."""
    for source, target in corpus:
        pair = tidy(source), tidy(target)
        yield pair if all(pair) else None


def _survey(
    corpus: ParallelCorpus, seed: int, watch: Watch
) -> tuple[_Survey, list[tuple[str, str]]]:
    """Reads all once: counts, checks, and draws an even sample (reservoir sampling)."""
    seen, sample, draw = _Survey(), list[tuple[str, str]](), random.Random(seed)
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


def _learn(
    text: TextConfig, sample: list[tuple[str, str]], seed: int
) -> tuple[Tokenizer, Tokenizer]:
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
    seen, sample = _survey(corpus, seed, watch)
    valid_pairs = [pair for pair in _usable(valid) if pair] if valid else []
    aside = set() if valid else _set_aside(seen.pairs, corpus, seed)
    watch("learning the vocabulary", 0, None)
    source, target = _learn(text, sample, seed)
    del sample
    save_sides(folder, source, target)
    sizes = len(source), len(target)
    longest = text.max_length or LONGEST

    written = too_long = done = 0
    pairs = (pair for pair in _usable(corpus) if pair)
    with StoreWriter(folder, "train", sizes) as out, (folder / "train.hashes").open("wb") as hashes:
        while block := list(islice(pairs, BLOCK)):
            numbered = list(enumerate(block, start=done))
            valid_pairs += [pair for number, pair in numbered if number in aside]
            kept = [pair for number, pair in numbered if number not in aside]
            fitting = _encode_fitting(kept, source, target, longest)
            out.extend([s for s, _ in fitting], [t for _, t in fitting])
            line_hashes([s for s, _ in kept]).tofile(hashes)
            written, too_long = written + len(fitting), too_long + len(kept) - len(fitting)
            done += len(block)
            watch("tokenising", done, seen.pairs)
    if not written:
        raise InputError(
            f"{corpus.describe()}: every pair is longer than text.max_length = {longest} tokens"
        )
    with StoreWriter(folder, "valid", sizes) as out:
        fitting = _encode_fitting(valid_pairs, source, target, longest)
        out.extend([s for s, _ in fitting], [t for _, t in fitting])
    if not fitting:
        raise InputError(f"no validation pair fits into text.max_length = {longest} tokens")
    lines = json.dumps(valid_pairs, ensure_ascii=False, indent=0)
    (folder / "valid.json").write_text(lines, encoding="utf-8")

    store = PairStore(folder, "train", sizes)
    lengths = store.source.lengths, store.target.lengths
    return Facts(
        fingerprint=fingerprint,
        origin=corpus.describe(),
        pairs=written,
        valid=len(valid_pairs),
        valid_given=valid is not None,
        blank=seen.blank,
        too_long=too_long,
        overlap=also_in_training(folder, [s for s, _ in valid_pairs]),
        source_tokens=int(lengths[0].sum(dtype=np.int64)),
        target_tokens=int(lengths[1].sum(dtype=np.int64)),
        max_length=text.max_length or max(int(side.max()) for side in lengths),
        length_ratio=float(np.quantile((lengths[1] + 1) / (lengths[0] + 1), 0.999)),
        source_vocabulary=sizes[0],
        target_vocabulary=sizes[1],
        joint=source.digest == target.digest,
    )


def _set_aside(pairs: int, corpus: ParallelCorpus, seed: int) -> set[int]:
    """Which pairs become the validation set: one in fifty, at least 10 and at most 1,000."""
    if pairs < FEWEST_PAIRS:
        raise InputError(
            f"{corpus.describe()}: {pairs} usable pairs are too few to set some aside for "
            f"validation; give at least {FEWEST_PAIRS}, or --valid-source and --valid-target"
        )
    return set(random.Random(seed).sample(range(pairs), min(1000, max(10, pairs // 50))))


def _encode_fitting(
    pairs: list[tuple[str, str]], source: Tokenizer, target: Tokenizer, longest: int
) -> list[tuple[list[int], list[int]]]:
    sources = source.encode_batch([s for s, _ in pairs])
    targets = target.encode_batch([t for _, t in pairs])
    both = zip(sources, targets, strict=True)
    return [(s, t) for s, t in both if len(s) <= longest and len(t) <= longest]

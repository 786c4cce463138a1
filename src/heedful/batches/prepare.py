"""From parallel text to a folder of tokenizers and token ids, made once and then re-used."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from heedful.batches.prepared import (
    FACTS,
    Facts,
    Prepared,
    also_in_training,
    open_prepared,
)
from heedful.batches.set_aside import set_aside
from heedful.batches.store import PairStore, StoreWriter
from heedful.batches.survey import Survey, Watch, survey
from heedful.batches.tokenise import SecondReading, Sides, crew_for
from heedful.errors import InputError
from heedful.files import alone, new_folder
from heedful.text.bulk.packed import id_type, pack
from heedful.text.config import TextConfig
from heedful.text.corpus import Pair, ParallelCorpus
from heedful.text.sides import save_sides
from heedful.text.special import TokenKind
from heedful.text.tidy import tidy
from heedful.text.tokenizer import Tokenizer

FORMAT = 3
LONGEST = 512  # tokens; `text.max_length` may ask for more


def prepare(
    folder: Path,
    corpus: ParallelCorpus,
    valid: ParallelCorpus | None,
    text: TextConfig,
    *,
    seed: int,
    watch: Watch,
    may_replace: bool = True,
    sides: Sides | None = None,
) -> Prepared:
    """Fills `folder`, or opens it if it was filled from the same files with the same settings.
    `sides` are tokenizers to use; they are learnt from the text unless given."""
    if valid and corpus.reads_standard_input() and valid.reads_standard_input():
        raise InputError(
            "the training text and the validation text are both '-', but standard input holds one "
            "file only. Name a file for one of them"
        )
    with _spooled(folder, corpus, valid) as (corpus, valid):
        wanted = _Wanted(corpus, valid, text, seed, sides)
        if not _holds(folder, wanted.fingerprint()):
            with alone(folder):
                _make(folder, wanted, watch, may_replace=may_replace)
    return open_prepared(folder)


def _make(folder: Path, wanted: _Wanted, watch: Watch, *, may_replace: bool) -> None:
    if _holds(folder, wanted.fingerprint()):  # another run on the same text was quicker
        return
    _check_free(folder, may_replace=may_replace)
    with new_folder(folder) as partial:
        facts = _fill(partial, wanted, watch)
        (partial / FACTS).write_text(json.dumps(asdict(facts), indent=1))
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _spooled(
    folder: Path, corpus: ParallelCorpus, valid: ParallelCorpus | None
) -> Iterator[tuple[ParallelCorpus, ParallelCorpus | None]]:
    """What can be read only once lies in files beside the folder meanwhile."""
    spool = folder.with_name(folder.name + ".spooled")
    try:
        yield corpus.spool(spool), valid.spool(spool / "valid") if valid else None
    except OSError as error:
        raise InputError(f"the prepared data could not be written to {folder}: {error}") from error
    finally:
        shutil.rmtree(spool, ignore_errors=True)


def _check_free(folder: Path, *, may_replace: bool) -> None:
    """Nothing but data that was prepared by heedful, and may go, is replaced."""
    is_ours = (folder / FACTS).exists() and may_replace
    if folder.exists() and any(folder.iterdir()) and not is_ours:
        raise InputError(
            f"{folder} holds something else, perhaps data prepared from other text or with other "
            f"settings: choose another --data (or --out), or move that folder away"
        )


def text_fingerprint(corpus: ParallelCorpus, valid: ParallelCorpus | None) -> str:
    """Of the files, unread."""
    return corpus.fingerprint() + (valid.fingerprint() if valid else "")


@dataclass(frozen=True)
class _Wanted:
    """What the folder shall be filled from, and how."""

    corpus: ParallelCorpus
    valid: ParallelCorpus | None
    text: TextConfig
    seed: int
    sides: Sides | None

    def fingerprint(self) -> str:
        """Changes when the outcome would."""
        languages = {"source_lang", "target_lang"}  # they change nothing
        settings = self.text.model_dump_json(exclude=languages)
        parts = [str(FORMAT), text_fingerprint(self.corpus, self.valid), str(self.seed)]
        parts += [side.digest for side in self.sides or ()]
        return hashlib.sha256("\0".join([*parts, settings]).encode()).hexdigest()


def _holds(folder: Path, fingerprint: str) -> bool:
    try:
        return bool(json.loads((folder / FACTS).read_text())["fingerprint"] == fingerprint)
    except (OSError, ValueError, KeyError):
        return False


def _learn(text: TextConfig, seen: Survey) -> Sides:
    sources, targets = list(seen.sources.values()), list(seen.targets.values())

    def learn(lines: list[str], kind: TokenKind) -> Tokenizer:
        return Tokenizer.learn(
            lines,
            kind=kind,
            algorithm=text.algorithm,
            size=text.vocabulary_size,
            jamo=text.jamo,
            scale=seen.scale,
        )

    if text.is_joint:
        both = learn(sources + targets, text.source_tokens)
        return both, both
    return learn(sources, text.source_tokens), learn(targets, text.target_tokens)


def _fill(folder: Path, wanted: _Wanted, watch: Watch) -> Facts:
    """Survey, vocabulary, ids: everything but `facts.json`, whose content it returns."""
    corpus, valid, text = wanted.corpus, wanted.valid, wanted.text
    # Before the text is read: whatever changes it meanwhile must not pass for what was read.
    fingerprint, of_text = wanted.fingerprint(), text_fingerprint(corpus, valid)
    seen = survey(corpus, wanted.seed, watch)
    aside = [] if valid else set_aside(seen, corpus, wanted.seed)
    valid_pairs = _all_pairs(valid) if valid else aside
    longest = text.max_length or LONGEST
    with crew_for(seen) as crew:
        watch("taking over the vocabulary" if wanted.sides else "learning the vocabulary", 0, None)
        sides = wanted.sides or _learn(text, seen)
        save_sides(folder, *sides)
        seen.forget_sample()
        reading = SecondReading(corpus, seen, sides, longest, [source for source, _ in aside])
        n_aside, too_long = reading.write(folder, crew, watch)
    longest_valid = _write_validation(folder, valid_pairs, sides, longest)

    store = PairStore(folder, "train", (len(sides[0]), len(sides[1])))
    lengths = store.source.lengths, store.target.lengths
    if not len(store):
        raise InputError(
            f"{corpus.describe()}: every pair is longer than text.max_length = {longest} tokens"
        )
    return Facts(
        fingerprint=fingerprint,
        origin=corpus.describe(),
        text=of_text,
        pairs=len(store),
        valid=len(valid_pairs),
        valid_given=valid is not None,
        blank=seen.blank,
        too_long=too_long,
        overlap=also_in_training(folder, [s for s, _ in valid_pairs]),
        source_tokens=int(lengths[0].sum(dtype=np.int64)),
        target_tokens=int(lengths[1].sum(dtype=np.int64)),
        max_length=text.max_length or max(longest_valid, *(int(side.max()) for side in lengths)),
        length_ratio=float(np.quantile((lengths[1] + 1) / (lengths[0] + 1), 0.999)),
        source_vocabulary=len(sides[0]),
        target_vocabulary=len(sides[1]),
        joint=sides[0].digest == sides[1].digest,
        headers=[line for text in (corpus, valid) if text and (line := text.header())],
        same_source=n_aside - len(aside),
    )


def _write_validation(folder: Path, pairs: list[Pair], sides: Sides, longest: int) -> int:
    """Those that are not too long; tells the length of the longest of them."""
    source, target = (
        pack(tokenizer.encode_batch(list(lines)), id_type(len(tokenizer)))
        for tokenizer, lines in zip(sides, zip(*pairs, strict=True), strict=True)
    )
    lengths = np.maximum(source.lengths, target.lengths)
    fits = lengths <= longest
    if not fits.any():
        raise InputError(f"no validation pair fits into text.max_length = {longest} tokens")
    with StoreWriter(folder, "valid") as out:
        out.extend(source.only(fits), target.only(fits))
    lines = json.dumps(pairs, ensure_ascii=False, indent=0)
    (folder / "valid.json").write_text(lines, encoding="utf-8")
    return int(lengths[fits].max())


def _all_pairs(corpus: ParallelCorpus) -> list[Pair]:
    """Those with text on both sides."""
    both = [(tidy(source), tidy(target)) for source, target in corpus]
    return [pair for pair in both if all(pair)]

"""The tokenizers of both sides, as they lie in a folder."""

from __future__ import annotations

from pathlib import Path

from heedful.text.tokenizer import Tokenizer

JOINT, SOURCE, TARGET = "tokenizer.model", "source.model", "target.model"


def save_sides(folder: Path, source: Tokenizer, target: Tokenizer) -> None:
    """One file if both sides share a vocabulary, else two."""
    if source.digest == target.digest:
        source.save(folder / JOINT)
        stale = [SOURCE, TARGET]
    else:
        source.save(folder / SOURCE)
        target.save(folder / TARGET)
        stale = [JOINT]
    for name in stale:  # of an earlier model in the same folder
        (folder / name).unlink(missing_ok=True)


def load_sides(folder: Path) -> tuple[Tokenizer, Tokenizer]:
    """What `save_sides` saved."""
    if (folder / SOURCE).exists() or (folder / TARGET).exists():
        return Tokenizer.load(folder / SOURCE), Tokenizer.load(folder / TARGET)
    joint = Tokenizer.load(folder / JOINT)
    return joint, joint

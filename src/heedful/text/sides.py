"""The tokenizers of both sides, as they lie in a folder."""

from __future__ import annotations

from pathlib import Path

from heedful.text.tokenizer import Tokenizer


def save_sides(folder: Path, source: Tokenizer, target: Tokenizer) -> None:
    """One file if both sides share a vocabulary, else two."""
    if source.digest == target.digest:
        source.save(folder / "tokenizer.model")
    else:
        source.save(folder / "source.model")
        target.save(folder / "target.model")


def load_sides(folder: Path) -> tuple[Tokenizer, Tokenizer]:
    """What `save_sides` saved."""
    if (folder / "source.model").exists():
        return Tokenizer.load(folder / "source.model"), Tokenizer.load(folder / "target.model")
    joint = Tokenizer.load(folder / "tokenizer.model")
    return joint, joint

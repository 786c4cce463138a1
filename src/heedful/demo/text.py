"""The demo's sentences in files, as a user's are."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict

from heedful.demo.corpus import DemoCorpus


class TextOptions(TypedDict):
    """The options of training that name text."""

    source: str
    target: str
    valid_source: str
    valid_target: str
    source_lang: str
    target_lang: str


def text_options(language: str, folder: Path) -> TextOptions:
    """For the files that `write_text` writes."""
    return TextOptions(
        source=str(folder / "train.en"),
        target=str(folder / f"train.{language}"),
        valid_source=str(folder / "valid.en"),
        valid_target=str(folder / f"valid.{language}"),
        source_lang="en",
        target_lang=language,
    )


def write_text(corpus: DemoCorpus, language: str, folder: Path) -> None:
    """A file for each part and side: train.en, train.fr, …; those that are right stay."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = {"train": corpus.train, "valid": corpus.valid, "test": corpus.test}
    for name, examples in parts.items():
        for side, lines in (
            ("en", [e.source for e in examples]),
            (language, [e.target for e in examples]),
        ):
            path, text = folder / f"{name}.{side}", "".join(line + "\n" for line in lines)
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")

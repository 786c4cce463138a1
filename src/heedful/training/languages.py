"""The languages of a training: their codes, and what is odd about them. Needs no torch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from heedful.model_folder.card import read_card
from heedful.text.languages import language_code, name_of, warning_about

if TYPE_CHECKING:
    from heedful.recipe import Recipe, Sections
    from heedful.text.config import TextConfig


def with_language_codes(sections: Sections) -> Sections:
    """The same settings with codes for the languages that the user named; InputError for words
    that name no language."""
    text = dict(sections.get("text", {}))
    for side in ("source", "target"):
        word = text.get(f"{side}_lang")
        if isinstance(word, str):
            text[f"{side}_lang"] = language_code(word, side)
    return sections | {"text": text}


def language_warnings(recipe: Recipe) -> Iterator[str]:
    """What is odd about the languages, though they can be trained with."""
    text = recipe.text
    for side, code in (("source", text.source_lang), ("target", text.target_lang)):
        if code and (warning := warning_about(code, side)):
            yield warning
    are_sentences = text.source_tokens == text.target_tokens == "subwords"
    if text.source_lang and text.source_lang == text.target_lang and are_sentences:
        yield (
            f"source and target language are both {text.source_lang}; if that is wrong, give "
            f"--source-lang and --target-lang"
        )
    if recipe.training.start:
        before = read_card(Path(recipe.training.start)).text
        if _pair(before) != _pair(text) and any(_pair(before)):
            yield (
                f"the model that this one begins with translates {_described(before)}, the new one "
                f"{_described(text)}: its vocabulary stays that of the old languages"
            )


def _pair(text: TextConfig) -> tuple[str, str]:
    return (text.source_lang or "").lower(), (text.target_lang or "").lower()


def _described(text: TextConfig) -> str:
    source, target = (f"{name_of(c)} ({c})" if c else "an unknown language" for c in _pair(text))
    return f"{source} to {target}"

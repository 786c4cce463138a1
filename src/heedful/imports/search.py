"""How a MarianMT model searches by itself, in heedful's words.

Newer folders say it in `generation_config.json`, older ones in `config.json`. Their lengths count
the start mark, which heedful's do not; both count the end mark.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from heedful.decoding.config import DecodingConfig
from heedful.errors import InputError
from heedful.imports.folder import CONFIG, GENERATION, read_json
from heedful.settings import explain

INEXPRESSIBLE: dict[str, tuple[Any, ...]] = {
    "no_repeat_ngram_size": (0,), "encoder_no_repeat_ngram_size": (0,), "repetition_penalty": (1,),
    "min_length": (0, 1), "min_new_tokens": (0,), "num_beam_groups": (1,),
    "diversity_penalty": (0,), "forced_bos_token_id": (), "suppress_tokens": ([],),
    "begin_suppress_tokens": ([],), "sequence_bias": ([], {}),
    "exponential_decay_length_penalty": (), "typical_p": (1,),
}  # fmt: skip
"""What heedful's searches do not have, and the values that ask for nothing."""
RENAMED = {"num_beams": "beam", "length_penalty": "alpha"}
DRAWING = ("temperature", "top_k", "top_p")  # both have these
TOP_K = 50  # what transformers takes where a folder that draws does not say it


class Search:
    """A folder's search settings; what it does not say is as heedful has it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        path = folder / GENERATION
        told = read_json(folder / CONFIG) | (read_json(path) if path.exists() else {})
        self._told = {name: value for name, value in told.items() if value is not None}

    def settings(self, longest: int) -> DecodingConfig:
        """Those that heedful has. `longest` is how many tokens the model can hold, the start mark
        counted: only a limit below it is a choice."""
        told = self._told
        found = {ours: told[theirs] for theirs, ours in RENAMED.items() if theirs in told}
        if told.get("early_stopping") == "never":
            found["stop"] = "exact"
        if told.get("do_sample"):
            found |= self._drawing()
        limit = self._limit()
        if limit is not None and limit < longest - 1:
            found["max_length"] = limit
        try:
            return DecodingConfig(**found)
        except ValidationError as error:
            raise InputError(f"{self._folder} cannot be imported: {explain(error)}") from None

    def _drawing(self) -> dict[str, Any]:
        told = {name: self._told[name] for name in DRAWING if name in self._told}
        top_k = told.get("top_k", TOP_K) or None  # their 0 is all tokens
        return {"sample": True} | told | {"top_k": top_k}

    def _limit(self) -> int | None:
        """Most tokens of a translation, the end mark counted."""
        if "max_new_tokens" in self._told:  # counts no start mark
            return _whole(self._told["max_new_tokens"])
        limit = _whole(self._told.get("max_length"))
        return None if limit is None else limit - 1

    def left_out(self, marks: Collection[int]) -> list[str]:
        """Settings that heedful does not have, as they stand in the folder. Words that may not be
        written are among them, unless they are marks, which heedful never writes either."""
        told = self._told
        found = [
            name
            for name, neutral in INEXPRESSIBLE.items()
            if name in told and told[name] not in neutral
        ]
        harmless = [[mark] for mark in marks]
        if any(word not in harmless for word in self._bad_words()):
            found.append("bad_words_ids")
        return [f"{name} = {told[name]!r}" for name in found]

    def _bad_words(self) -> list[list[int]]:
        """What may not be written, each of one token or more."""
        words = self._told.get("bad_words_ids", [])
        if not isinstance(words, list) or not all(map(_is_word, words)):
            raise InputError(
                f"{self._folder} cannot be imported: bad_words_ids = {words!r}; a list of lists of "
                f"tokens' numbers is wanted"
            )
        return words


def _whole(value: Any) -> int | None:
    """A whole number; True is none."""
    return value if type(value) is int else None


def _is_word(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(type(token) is int for token in value)

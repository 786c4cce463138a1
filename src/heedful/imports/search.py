"""How a MarianMT model searches by itself, in heedful's words: newer folders say it in a file of
their own, older ones in `config.json`."""

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
"""What heedful's searches do not have, and the values that ask for nothing. Their `min_length`
counts the first token, too, which is none."""
SAME_NAMES = {"num_beams": "beam", "length_penalty": "alpha"}
DRAWING = ("temperature", "top_k", "top_p")
TOP_K = 50  # of transformers, where a folder that draws does not say it; 0 is all tokens


class Search:
    """What a folder says of it; what it does not say is heedful's own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        path = folder / GENERATION
        told = read_json(folder / CONFIG) | (read_json(path) if path.exists() else {})
        self._told = {name: value for name, value in told.items() if value is not None}

    def settings(self, longest: int) -> DecodingConfig:
        """`longest` is how many tokens the model can hold, the first one too: only fewer are a
        choice."""
        told = self._told
        found = {ours: told[name] for name, ours in SAME_NAMES.items() if name in told}
        if told.get("early_stopping") == "never":
            found["stop"] = "exact"
        if told.get("do_sample"):
            drawn = {"top_k": TOP_K} | {name: told[name] for name in DRAWING if name in told}
            found |= {"sample": True} | drawn | {"top_k": drawn["top_k"] or None}
        limit = self._limit()
        if limit is not None and limit < longest - 1:
            found["max_length"] = limit
        try:
            return DecodingConfig(**found)
        except ValidationError as error:
            raise InputError(f"{self._folder} cannot be imported: {explain(error)}") from None

    def _limit(self) -> int | None:
        """Of tokens, the end mark counted; theirs counts the first one, too, which is none."""
        if "max_new_tokens" in self._told:
            return _whole(self._told["max_new_tokens"])
        limit = _whole(self._told.get("max_length"))
        return None if limit is None else limit - 1

    def left_out(self, marks: Collection[int]) -> list[str]:
        """What heedful's searches do not have. Marks are never written by them either."""
        told = self._told
        found = [
            name
            for name, neutral in INEXPRESSIBLE.items()
            if name in told and told[name] not in neutral
        ]
        if any(word not in [[mark] for mark in marks] for word in self._bad_words()):
            found.append("bad_words_ids")
        return [f"{name} = {told[name]!r}" for name in found]

    def _bad_words(self) -> list[list[int]]:
        """Each of one token or more."""
        words = self._told.get("bad_words_ids", [])
        if not isinstance(words, list) or not all(map(_is_word, words)):
            raise InputError(
                f"{self._folder} cannot be imported: bad_words_ids = {words!r}; a list of lists of "
                f"tokens' numbers is wanted"
            )
        return words


def _whole(value: Any) -> int | None:
    return value if type(value) is int else None


def _is_word(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(type(token) is int for token in value)

"""Marian's words, numbered anew behind heedful's four marks."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import NamedTuple

from heedful.errors import InputError, did_you_mean
from heedful.exports.ctranslate2 import NEVER
from heedful.imports.folder import MARKS, MarianSettings, read_json
from heedful.imports.weights import Array
from heedful.text.languages import LANGUAGE_WORD
from heedful.text.model_file import renumbered, scores_of_pieces
from heedful.text.special import SPACE
from heedful.text.tokenizer import Tokenizer

VOCABULARY, UNKNOWN = "vocab.json", "<unk>"
UNWRITABLE = re.compile("[\0\ud800-\udfff]")


class Word(NamedTuple):
    """As heedful's tokenizers spell it, and its row in Marian's tables."""

    piece: str
    row: int


class Words:
    """Whose rows are whose: heedful's marks, then all other words in Marian's order, then pieces
    of the tokenizers that Marian has no word for, and takes for unknown.

    A model of several target languages has a word for each, >>deu<<, that begins its source. One
    that is chosen begins every source from now on; else a text may begin with any.
    """

    def __init__(self, folder: Path, settings: MarianSettings, chosen: str | None) -> None:
        ids = _read_vocabulary(folder / VOCABULARY, settings)
        self.languages = [word for word in ids if LANGUAGE_WORD.fullmatch(word)]
        self.chosen = self._known(chosen) if chosen else None
        unknown = ids[UNKNOWN]
        marks = [settings.pad_token_id, unknown, settings.decoder_start_token_id]
        marks.append(settings.eos_token_id)
        by_row = sorted(ids.items(), key=lambda item: item[1])
        words = [Word(self._piece(word), row) for word, row in by_row if row not in marks]
        models = [_read_model(folder / name) for name in ("source.spm", "target.spm")]
        known = {word.piece for word in words}
        pieces = dict.fromkeys(piece for _, scores in models for piece in scores)
        strange = [piece for piece in pieces if piece not in known]
        self.strange = len(strange)
        self.rows = [*marks, *(word.row for word in words), *[unknown] * len(strange)]
        spelt = [*(word.piece for word in words), *strange]
        (source, _), (target, _) = models
        whole = {self._piece(word) for word in self.languages} - {self.chosen}
        try:
            self.source = Tokenizer(renumbered(source, spelt, whole=whole, first=self.chosen))
            self.target = Tokenizer(renumbered(target, spelt))
        except (ValueError, RuntimeError) as error:  # as of two words that are spelt alike
            raise InputError(f"{folder / VOCABULARY} cannot be imported: {error}") from None

    def _known(self, chosen: str) -> str:
        word = chosen if LANGUAGE_WORD.fullmatch(chosen) else f">>{chosen}<<"
        if word in self.languages:
            return word
        if not self.languages:
            raise InputError(f"the model has one target language: leave {chosen} out")
        some = ", ".join(self.languages[:5])
        near = did_you_mean(word, self.languages)
        raise InputError(f"the model has no word {word}{near}; it has {some}, …")

    def _piece(self, word: str) -> str:
        """A text's first word has a space before it to SentencePiece."""
        return SPACE + word if word in self.languages and word != self.chosen else word

    def bias(self, of_marian: Array) -> Array:
        """Of the logits. What is no word of Marian's is never written."""
        bias: Array = of_marian[self.rows].copy()
        bias[len(bias) - self.strange :] = NEVER
        return bias


def _read_vocabulary(path: Path, settings: MarianSettings) -> dict[str, int]:
    """Words and their rows."""
    ids = read_json(path)
    n = settings.vocab_size
    odd = [word for word in ids if not word or UNWRITABLE.search(word)]
    if odd:
        raise InputError(f"{path} has the word {odd[0]!r}, which no text can have")
    wrong = [word for word, row in ids.items() if type(row) is not int or not 0 <= row < n]
    if wrong:
        raise InputError(f"{path}: {wrong[0]!r} is {ids[wrong[0]]!r}; 0 to {n - 1} are wanted")
    if len(set(ids.values())) < len(ids):
        raise InputError(f"{path} has two words of the same number: copy the model again")
    if UNKNOWN not in ids:
        raise InputError(
            f"{path} has no word {UNKNOWN}, which stands for all others: copy the model again"
        )
    for name in MARKS:
        if not 0 <= getattr(settings, name) < n:
            raise InputError(
                f"{path.parent}: {name} = {getattr(settings, name)}; 0 to {n - 1} are wanted"
            )
    return ids


def _read_model(path: Path) -> tuple[bytes, dict[str, float]]:
    """A SentencePiece model, and its pieces."""
    try:
        model = path.read_bytes()
        Tokenizer(model)
        return model, scores_of_pieces(model)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    except (ValueError, LookupError, RuntimeError, AssertionError, struct.error):
        raise InputError(f"{path} is no SentencePiece model, or damaged") from None

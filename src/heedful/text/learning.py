"""Learning a vocabulary: lines in, the bytes of a SentencePiece model out."""

from __future__ import annotations

import io
import re
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import sentencepiece

from heedful.errors import InputError, RecipeError
from heedful.text.config import (
    LARGEST_SUGGESTION,
    Algorithm,
    suggested_vocabulary_size,
)
from heedful.text.model_file import without_rule_path
from heedful.text.normalization import nfc, nfc_rules, share_of_hangul, to_jamo
from heedful.text.special import BOS, EOS, PAD, UNK, TokenKind

_PART = re.compile(r"\S.{0,199}(?!\S)|\S{200}", re.DOTALL)
"""Longer lines are learnt from in parts of 200 characters, cut between words where there are any,
and equal parts once only: SentencePiece looks for substrings that lines share, which takes hours
on text that repeats itself (github.com/google/sentencepiece/issues/641). No piece is longer than
16 characters anyway."""

_MANY_CHARACTERS = 1000
"""Alphabets stay below this, Han and Hangul do not."""

KOREAN = 0.1
"""The share of Hangul from which characters are jamo by default: there are eleven thousand
syllables, most of which a small text has rarely or never, and 67 jamo."""

SOME_LINES = 10_000
"""Enough to see in what script a text is."""

_SPECIALS = 4
_BYTES = 256
# Learnt from as spaces: SentencePiece keeps ▁ and ▅ for itself, and skips lines with the others.
_RESERVED = str.maketrans("\0\t\n▁▅", " " * 5)
# Whatever str.split() splits at, besides the space itself.
_OTHER_SPACES = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)


def learn_model(
    lines: Iterable[str],
    *,
    kind: TokenKind,
    algorithm: Algorithm,
    size: int | None,
    jamo: bool | None,
    scale: float,
) -> bytes:
    """A SentencePiece model file. The same lines and settings give the same bytes.

    `scale` says how many times as long the text is that the lines were drawn from.
    """
    lines = list(lines)
    if jamo is None:
        jamo = kind == "chars" and share_of_hangul("".join(lines[:SOME_LINES])) > KOREAN
    spelt = (to_jamo(nfc(line)) if jamo else nfc(line) for line in lines)
    parts = list(dict.fromkeys(part for line in spelt for part in _parts(line)))
    characters = Counter[str]()
    for part in parts:
        characters.update(part)
    del characters[" "]
    if not characters:
        raise InputError(
            f"a vocabulary cannot be learnt from {len(lines):,} lines without any text. "
            f"Give lines that are not blank"
        )
    coverage = _coverage(kind, characters)
    least = _least_size(kind, characters, coverage)
    if size is None:
        size = _chosen_size(kind, round(scale * sum(len(p.split()) for p in parts)), least)
    elif size < least:
        raise RecipeError(
            f"a vocabulary of {size:,} {kind} is too small for this text: {_SPECIALS} special "
            f"tokens, {_BYTES if kind != 'words' else 0} bytes and its characters need at least "
            f"{least:,}. Set vocabulary_size to that or more, or leave it out"
        )
    return _train(parts, kind, algorithm, size, coverage, nfc_rules(jamo=jamo))


def _parts(line: str) -> list[str]:
    return _PART.findall(line.translate(_RESERVED))


def _coverage(kind: TokenKind, characters: Counter[str]) -> float:
    """The share of the text whose characters get a piece of their own.

    All of them, as long as they are few: then no letter of the alphabet is spelt in bytes. Where
    there are thousands, half of them come once or twice in a million: each would hold a row of
    the vocabulary that is never learnt, and three bytes spell it as well.
    """
    return 0.9995 if kind != "words" and len(characters) > _MANY_CHARACTERS else 1.0


def _least_size(kind: TokenKind, characters: Counter[str], coverage: float) -> int:
    """The special tokens, the bytes, the space, and for subwords each covered character."""
    if kind == "words":
        return _SPECIALS + 1
    if kind == "chars":
        return _SPECIALS + _BYTES + 2
    return _SPECIALS + _BYTES + 1 + _n_covered(characters, coverage)


def _n_covered(characters: Counter[str], coverage: float) -> int:
    wanted = coverage * characters.total()
    covered = 0
    for n, (_, count) in enumerate(characters.most_common()):
        if covered >= wanted:
            return n
        covered += count
    return len(characters)


def _chosen_size(kind: TokenKind, n_words: int, least: int) -> int:
    if kind != "subwords":
        return LARGEST_SUGGESTION  # all of them, as a rule: SentencePiece stops when none is left
    # As many longer pieces as single characters, at the very least.
    return max(suggested_vocabulary_size(n_words), 2 * least - _SPECIALS - _BYTES)


def _train(
    parts: list[str],
    kind: TokenKind,
    algorithm: Algorithm,
    size: int,
    coverage: float,
    normalization: str,
) -> bytes:
    model = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        rules = Path(folder) / "nfc.tsv"
        rules.write_text(normalization + (_space_rules() if kind == "words" else ""), "utf-8")
        sentencepiece.SentencePieceTrainer.Train(
            sentence_iterator=iter(parts),
            model_writer=model,
            model_type={"subwords": algorithm, "chars": "char", "words": "word"}[kind],
            vocab_size=size,
            hard_vocab_limit=False,  # a small text has fewer pieces than asked for
            character_coverage=coverage,
            byte_fallback=kind != "words",
            normalization_rule_tsv=str(rules),
            remove_extra_whitespaces=kind == "words",
            add_dummy_prefix=kind != "chars",  # the first word is a word like any other
            pad_id=PAD,
            unk_id=UNK,
            bos_id=BOS,
            eos_id=EOS,
            num_threads=16,  # sums are taken per thread: the number must not be the machine's
            minloglevel=3,
        )
    return without_rule_path(model.getvalue())


def _space_rules() -> str:
    """Between words any white space is a space."""
    return "".join(f"{ord(space):X}\t20\n" for space in _OTHER_SPACES)

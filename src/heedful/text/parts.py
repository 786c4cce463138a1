"""Lines as parts that a model can translate one by one, and what stands between them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from heedful.text.sentences import chunks, split_sentences
from heedful.text.tokenizer import Tokenizer
from heedful.text.unbroken import as_written, cut_between_tags
from heedful.text.untagged import Untagged, read_all

COMPOSED = 4
"""Characters that NFC makes one of, at most. What has more for each piece than this is too long for
a model, and not made into tokens to see it: meanwhile no other thread of Python would go on."""
OnCut = Callable[[int, str], None]
"""Told the number of a line that the model cannot hold, and what was done to it."""
Read = Callable[[str], Untagged]
"""What of a text the model reads."""


@dataclass(frozen=True)
class Part:
    """One sentence of a line, or a piece of one, as it goes to the model."""

    line: int
    before: str  # white space that parts it from the sentence before
    ids: tuple[int, ...]
    text: str
    start: int  # where in the line it stands, white space before the line aside
    read: Untagged  # what the ids are of: all of the text, or all but its tags


def split_lines(
    lines: Sequence[str],
    tokenizer: Tokenizer,
    *,
    longest: int,
    at_sentences: bool,
    to_fit: bool,
    on_cut: OnCut,
    read: Read = read_all,
) -> list[Part]:
    """Split at sentence ends; then, `to_fit`, wherever it is least harmful until each part has at
    most `longest` tokens. What is still longer is cut. A blank line has no parts."""
    most = longest * tokenizer.longest_piece * COMPOSED if to_fit else sys.maxsize
    sentences = [
        (number, sentence)
        for number, line in enumerate(map(str.strip, lines))
        for sentence in (cut_between_tags(line, split_sentences) if at_sentences else [line])
    ]
    encoded = _encoded([sentence for _, sentence in sentences], tokenizer, most, read)
    parts: list[Part] = []
    before, last, place = "", -1, 0
    for (number, sentence), whole in zip(sentences, encoded, strict=True):
        if number != last:
            before, last, place = "", number, 0
        if whole is None or (to_fit and len(whole) > longest):
            pieces = _fitting(sentence, tokenizer, longest, most, read)
            on_cut(number, f"a sentence is longer than {longest} tokens: translated in pieces")
        else:
            pieces = [(sentence, whole)]
        for piece, ids in pieces:
            if len(ids) > longest:
                on_cut(number, f"cut: {len(ids)} tokens, the model holds {longest}")
            if ids:
                text = piece.strip()
                start = place + piece.index(text)
                parts.append(Part(number, before, tuple(ids[:longest]), text, start, read(text)))
                before = ""
            before += piece[len(piece.rstrip()) :]
            place += len(piece)
    return parts


def _encoded(
    texts: Sequence[str], tokenizer: Tokenizer, most: int, read: Read
) -> list[list[int] | None]:
    """None for those that are far too long."""
    near = [read(text.strip()).text if _is_near(text, most) else None for text in texts]
    ids = tokenizer.encode_batch([text or "" for text in near])
    return [None if text is None else row for text, row in zip(near, ids, strict=True)]


def _is_near(text: str, most: int) -> bool:
    """Whether it has at most so many characters, white space aside."""
    return len(text) <= most or len("".join(text.split())) <= most


def _fitting(
    sentence: str, tokenizer: Tokenizer, longest: int, most: int, read: Read
) -> list[tuple[str, list[int]]]:
    """Pieces of it, as few as can be."""

    def encoded(text: str) -> list[int]:
        return tokenizer.encode(read(text.strip()).text)

    def fits(text: str) -> bool:
        return _is_near(text, most) and len(encoded(as_written(text))) <= longest

    pieces = cut_between_tags(sentence, lambda text: chunks(text, fits))
    return [(piece, encoded(piece)) for piece in pieces]


def tell_from(first: int) -> OnCut:
    """Says on standard error what was done to a line; `first` is the number of the first one."""

    def tell(line: int, reason: str) -> None:
        print(f"heedful: line {first + line}: {reason}", file=sys.stderr)

    return tell


def gap(text: str, before: str, translated: str) -> str:
    """What stands between two translated sentences: the white space of the source; or a space, if
    the source's script has none but the target's wants one (Chinese to English)."""
    if before or not text or not translated:
        return before if text else ""
    return "" if _is_wide(text[-1]) or _is_wide(translated[0]) else " "


def _is_wide(character: str) -> bool:
    """Chinese, Japanese and their punctuation."""
    return "\u2e80" <= character <= "\u9fff" or "\uff00" <= character <= "\uffef"

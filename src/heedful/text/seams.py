"""Where a term meets the words and marks around it: what both have is written once."""

from __future__ import annotations

from collections.abc import Sequence

from heedful.text.edits import Edit, edited
from heedful.text.links import Link, Span
from heedful.text.sentences import SENTENCE_ENDS
from heedful.text.wanted import CLOSING, Wanted


def without_doubles(term: str, text: str, place: Span) -> tuple[str, Span]:
    """`le cabot` also takes the place of a `le` before it, as `Grundstück der` does of a `der`
    behind. The capital letter of that `le` stays: `Le cabot`."""
    words = [word for word in term.split(" ") if word]
    starts = (_before(words[:n], text, place[0]) for n in range(len(words) - 1, 0, -1))
    ends = (_behind(words[n:], text, place[1]) for n in range(1, len(words)))
    start = next((at for at in starts if at is not None), place[0])
    end = next((at for at in ends if at is not None), place[1])
    start, end = _trimmed(text, (start, end))
    if len(words) > 1 and start < end and _is_capital(words[0], text, start):
        term = text[start] + term[1:]
    return term, (start, end)


def with_one_end(wanted: Sequence[Wanted], text: str, links: list[Link]) -> tuple[str, list[Link]]:
    """Where a term's own mark (Yahoo!) ends the source, it ends the translation too, if that ends
    with the term; and a full stop (Inc.) ends a sentence wherever it stood."""
    end = len(text.rstrip(CLOSING)) - 1
    if end < 0 or text[end] not in SENTENCE_ENDS:
        return text, links
    ends = (want.text for want in wanted if want.is_end or want.text[-1] == text[end] == ".")
    if not any(term[-1] in SENTENCE_ENDS and text.endswith(term, 0, end) for term in ends):
        return text, links
    return edited(text, [Edit("", (end, end + 1))], links)


def _is_capital(word: str, text: str, start: int) -> bool:
    """Whether it stands there as it does at the beginning of a sentence."""
    return text[start : start + len(word)] == word[:1].upper() + word[1:] and _is_word(
        word, text, start
    )


def _trimmed(text: str, span: Span) -> Span:
    """Without the space around it."""
    inside = text[slice(*span)]
    return span[1] - len(inside.lstrip()), span[0] + len(inside.rstrip())


def _before(words: Sequence[str], text: str, end: int) -> int | None:
    """Where these words begin if they end there, in any case."""
    for word in reversed(words):
        while text[end - 1 : end].isspace():
            end -= 1
        end -= len(word)
        if end < 0 or not _is_word(word, text, end):
            return None
    return end


def _behind(words: Sequence[str], text: str, start: int) -> int | None:
    """Where these words end if they begin there, in any case."""
    for word in words:
        while text[start : start + 1].isspace():
            start += 1
        if not _is_word(word, text, start):
            return None
        start += len(word)
    return start


def _is_word(word: str, text: str, start: int) -> bool:
    """Whether it stands there, not as a part of more."""
    end = start + len(word)
    is_part = text[max(0, start - 1) : start].isalnum() or text[end : end + 1].isalnum()
    return text[start:end].casefold() == word.casefold() and not is_part

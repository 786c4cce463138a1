"""Which files can be translated, by the endings of their names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from heedful.documents.allowance import (
    MOST_CHARACTERS,
    MOST_PASSAGES,
    MOST_TAGS,
    Allowance,
)
from heedful.documents.archive import KINDS, Archive
from heedful.documents.charsets import encoding_of, encoding_of_text
from heedful.documents.encoded import Encoded
from heedful.documents.labels import UNTOLD, Languages
from heedful.documents.markup import read_markup
from heedful.documents.rules import HTML
from heedful.documents.subtitles import Subtitles
from heedful.documents.translatable import Hint, Translatable
from heedful.errors import InputError
from heedful.planning import Translation
from heedful.text.paragraphs import join_paragraphs, split_paragraphs

ENDINGS = ("txt", "html", "htm", "srt", *KINDS)


class PlainText:
    """Lines."""

    def __init__(self, text: str, allowance: Allowance) -> None:
        allowance.take_written(len(text))
        self.passages, self._gaps = split_paragraphs(text)
        for passage in self.passages:
            allowance.take_passage(passage)

    @property
    def hints(self) -> list[Hint]:
        """None."""
        return [Hint()] * len(self.passages)

    def rendered(self, translations: Sequence[Translation], languages: Languages = UNTOLD) -> str:
        """Lines again."""
        return join_paragraphs([t.text for t in translations], self._gaps)


def check_ending(ending: str) -> None:
    """InputError unless files of this kind are translated."""
    if ending not in ENDINGS:
        raise InputError(f"files of this kind are not translated: {', '.join(ENDINGS)} are")


def open_document(
    data: bytes,
    ending: str,
    *,
    unpacked: int,
    tags: int = MOST_TAGS,
    characters: int = MOST_CHARACTERS,
    passages: int = MOST_PASSAGES,
) -> Translatable[bytes]:
    """By the ending of its name; `unpacked` bytes may be in an archive at most, and in it all so
    many tags, characters of text and passages."""
    check_ending(ending)
    allowance = Allowance(unpacked, tags, characters, passages)
    if ending in KINDS:
        return Archive(data, ending, allowance)
    match ending:
        case "srt":
            return Encoded(data, lambda text: Subtitles(text, allowance), encoding_of_text(data))
        case "txt":
            return Encoded(data, lambda text: PlainText(text, allowance), encoding_of_text(data))
        case _:
            read = partial(read_markup, rules=HTML, allowance=allowance)
            return Encoded(data, read, encoding_of(data))

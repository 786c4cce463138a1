"""Which files can be translated, by the endings of their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from heedful.documents.archive import KINDS, Archive
from heedful.documents.markup import read_markup
from heedful.documents.passage import Composed
from heedful.documents.subtitles import Subtitles
from heedful.documents.tags import MOST_TAGS, check_tags
from heedful.errors import InputError
from heedful.planning import Translation
from heedful.text.paragraphs import join_paragraphs, split_paragraphs

ENDINGS = ("txt", "html", "htm", "srt", *KINDS)


class Document(Protocol):
    """Passages, and the way back."""

    @property
    def passages(self) -> list[str]:
        """To be translated, in order."""
        ...

    @property
    def mixed(self) -> list[bool]:
        """Of each passage, whether it matters which word of its translation came from which."""
        ...

    def rendered(self, translations: Sequence[Translation]) -> bytes:
        """The document with a translation of each."""
        ...


class PlainText:
    """Lines."""

    def __init__(self, text: str) -> None:
        self.passages, self._gaps = split_paragraphs(text)

    @property
    def mixed(self) -> list[bool]:
        """None."""
        return [False] * len(self.passages)

    def rendered(self, translations: Sequence[Translation]) -> str:
        """Lines again."""
        return join_paragraphs([t.text for t in translations], self._gaps)


class Encoded:
    """A document of text, as the bytes of a file."""

    def __init__(self, inner: PlainText | Composed | Subtitles, mark: str) -> None:
        self._inner = inner
        self._mark = mark

    @property
    def passages(self) -> list[str]:
        """Those of the text."""
        return self._inner.passages

    @property
    def mixed(self) -> list[bool]:
        """As in the text."""
        return self._inner.mixed

    def rendered(self, translations: Sequence[Translation]) -> bytes:
        """In UTF-8."""
        return (self._mark + self._inner.rendered(translations)).encode()


def check_ending(ending: str) -> None:
    """InputError unless files of this kind are translated."""
    if ending not in ENDINGS:
        raise InputError(f"files of this kind are not translated: {', '.join(ENDINGS)} are")


def open_document(data: bytes, ending: str, *, unpacked: int, tags: int = MOST_TAGS) -> Document:
    """By the ending of its name; `unpacked` bytes may be in an archive at most, and so many tags in
    it all."""
    check_ending(ending)
    if ending in KINDS:
        return Archive(data, ending, unpacked=unpacked, tags=tags)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"the file is not UTF-8: byte {error.start:,} ({error.reason})") from None
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix(mark)
    if ending != "txt":
        check_tags(text, tags)
    match ending:
        case "srt":
            return Encoded(Subtitles(text), mark)
        case "txt":
            return Encoded(PlainText(text), mark)
        case _:
            return Encoded(read_markup(text), mark)

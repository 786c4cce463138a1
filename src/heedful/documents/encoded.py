"""A document of text, as the bytes of a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from heedful.documents.labels import UNTOLD, Languages
from heedful.errors import InputError
from heedful.planning import Translation

BYTE_ORDER_MARK = "\ufeff"


def is_utf8(data: bytes) -> bool:
    """Whether it can be read at all."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


class Text(Protocol):
    """Passages, and the way back."""

    @property
    def passages(self) -> list[str]:
        """To be translated, in order."""
        ...

    @property
    def mixed(self) -> list[bool]:
        """Of each passage, whether it matters which word of its translation came from which."""
        ...

    def rendered(self, translations: Sequence[Translation], languages: Languages = UNTOLD) -> str:
        """The text with a translation of each, and where it says its language the other."""
        ...


class Encoded:
    """In UTF-8; a byte order mark before it is no text, and stays."""

    def __init__(self, data: bytes, read: Callable[[str], Text]) -> None:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            told = f"byte {error.start:,} ({error.reason})"
            raise InputError(f"the file is not UTF-8: {told}") from None
        self._mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
        self._text = read(text.removeprefix(BYTE_ORDER_MARK))

    @property
    def passages(self) -> list[str]:
        """Those of the text."""
        return self._text.passages

    @property
    def mixed(self) -> list[bool]:
        """As in the text."""
        return self._text.mixed

    def rendered(self, translations: Sequence[Translation], languages: Languages = UNTOLD) -> bytes:
        """All of it."""
        return (self._mark + self._text.rendered(translations, languages)).encode()

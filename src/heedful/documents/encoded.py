"""A document of text, as the bytes of a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heedful.documents.charsets import UTF_8
from heedful.documents.labels import UNTOLD, Languages
from heedful.documents.translatable import Hint, Translatable
from heedful.errors import InputError
from heedful.planning import Translation

BYTE_ORDER_MARK = "\ufeff"


class Encoded:
    """A byte order mark before the text is none of it, and stays."""

    def __init__(
        self, data: bytes, read: Callable[[str], Translatable[str]], encoding: str = UTF_8
    ) -> None:
        self._encoding = encoding
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError as error:
            told = f"byte {error.start:,} ({error.reason})"
            raise InputError(f"the file is not {encoding.upper()}: {told}") from None
        self._mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
        self._text = read(text.removeprefix(BYTE_ORDER_MARK))

    @property
    def passages(self) -> list[str]:
        """Those of the text."""
        return self._text.passages

    @property
    def hints(self) -> list[Hint]:
        """As in the text."""
        return self._text.hints

    def rendered(self, translations: Sequence[Translation], languages: Languages = UNTOLD) -> bytes:
        """All of it, in the encoding that it was in."""
        text = self._mark + self._text.rendered(translations, languages)
        return text.encode(self._encoding, "xmlcharrefreplace")

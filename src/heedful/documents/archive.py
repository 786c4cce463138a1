"""Documents that are archives of XML: docx, odt, epub."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from heedful.documents.markup import Rules, read_markup
from heedful.documents.passage import Composed
from heedful.documents.word import PARTS, read_word
from heedful.errors import InputError
from heedful.planning import Translation

MOST_FILES = 10_000
OPEN_DOCUMENT = Rules(
    inline=frozenset({"text:span", "text:a"}),
    inside=frozenset({"text:s", "text:tab", "text:note", "text:bookmark", "text:soft-page-break"}),
    untouched=frozenset({"office:annotation"}),
    void=frozenset(),
    within=frozenset({"text:p", "text:h"}),
)
LABELS = Rules(inline=frozenset(), inside=frozenset(), void=frozenset(), within=frozenset({"text"}))
"""The contents of a book."""


Reader = Callable[[str], Composed]


def _word(name: str) -> Reader | None:
    return read_word if PARTS.fullmatch(name) else None


def _open_document(name: str) -> Reader | None:
    return partial(read_markup, rules=OPEN_DOCUMENT) if name == "content.xml" else None


def _book(name: str) -> Reader | None:
    if re.search(r"\.x?html?$", name, re.IGNORECASE):
        return read_markup
    return partial(read_markup, rules=LABELS) if name.lower().endswith(".ncx") else None


KINDS: dict[str, Callable[[str], Reader | None]] = {
    "docx": _word,
    "odt": _open_document,
    "epub": _book,
}
"""By the ending of a name: how each file inside is read, None if it is copied."""


@dataclass(frozen=True)
class Stored:
    """A file of the archive."""

    info: zipfile.ZipInfo
    content: bytes
    part: Composed | None


class Archive:
    """All its files, in their order."""

    def __init__(self, data: bytes, kind: str, *, unpacked: int) -> None:
        reader = KINDS[kind]
        self._files: list[Stored] = []
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                infos = archive.infolist()
                if len(infos) > MOST_FILES:
                    raise InputError(f"the file holds {len(infos):,} files: {MOST_FILES:,} at most")
                for info in infos:
                    content = _read(archive, info, unpacked)
                    unpacked -= len(content)
                    make = reader(info.filename)
                    part = make(content.decode("utf-8")) if make else None
                    self._files.append(Stored(info, content, part))
        except (
            zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError, OSError,
        ) as error:  # fmt: skip
            raise InputError(f"this is no {kind} file, or it is damaged: {error}") from None
        if not any(file.part for file in self._files):
            raise InputError(f"this is no {kind} file: it has nothing in it that could be text")

    @property
    def passages(self) -> list[str]:
        """Of all its files."""
        return [text for file in self._files if file.part for text in file.part.passages]

    def rendered(self, translations: Sequence[Translation]) -> bytes:
        """The archive again."""
        out, place = io.BytesIO(), 0
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in self._files:
                content = file.content
                if file.part:
                    n = len(file.part.passages)
                    content = file.part.rendered(translations[place : place + n]).encode()
                    place += n
                archive.writestr(file.info, content, compress_type=file.info.compress_type)
        return out.getvalue()


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    """No more than it may have, whatever it says of itself."""
    with archive.open(info) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise InputError("the file unpacks to more than is allowed")
    return content

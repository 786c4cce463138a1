"""Documents that are archives of XML: docx, odt, epub."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from functools import partial

from heedful.documents.markup import Rules, read_markup
from heedful.documents.passage import Composed
from heedful.documents.tags import MOST_TAGS, check_tags
from heedful.documents.word import PARTS, read_word
from heedful.errors import InputError
from heedful.planning import Translation

MOST_FILES = 10_000
ENTRY = b"PK\1\2"  # before each entry of an archive's directory
PIECE = 1 << 16  # bytes that are copied at a time
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""As these documents may be; other ways could ask for gigabytes to unpack with."""
DAMAGED = (
    zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError, LookupError,
    ValueError, EOFError, OSError,
)  # fmt: skip
"""What reading an archive ends with if it is none, or damaged. (NotImplementedError is zipfile's
word for what it does not know of archives.)"""
MARK = "\ufeff"
OPEN_DOCUMENT = Rules(
    inline=frozenset({"text:span", "text:a"}),
    inside=frozenset({"text:s", "text:tab", "text:note", "text:bookmark", "text:soft-page-break"}),
    untouched=frozenset({"office:annotation"}),
    void=frozenset(),
    within=frozenset({"text:p", "text:h"}),
    spaces=frozenset({"text:s", "text:tab"}),
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


class Archive:
    """What is text in it is read; all else is copied from the one file to the other in the end."""

    def __init__(self, data: bytes, kind: str, *, unpacked: int, tags: int = MOST_TAGS) -> None:
        self._data = data
        self._kind = kind
        self._parts: dict[str, Composed] = {}
        if (entries := data.count(ENTRY)) > MOST_FILES:
            raise InputError(f"the file holds {entries:,} files: {MOST_FILES:,} at most")
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                self._infos = _checked(archive.infolist())
                for info in self._infos:
                    make = KINDS[kind](info.filename)
                    content, length = _read(archive, info, unpacked, keep=make is not None)
                    unpacked -= length
                    if make is not None:
                        text = content.decode("utf-8")
                        tags -= check_tags(text, tags)
                        self._parts[info.filename] = _after_mark(make, text)
        except DAMAGED as error:
            raise InputError(f"this is no {kind} file, or it is damaged: {error}") from None
        if not self._parts:
            raise InputError(f"this is no {kind} file: it has nothing in it that could be text")

    @property
    def passages(self) -> list[str]:
        """Of all its files."""
        return [text for part in self._parts.values() for text in part.passages]

    @property
    def mixed(self) -> list[bool]:
        """Of each passage, whether it matters which word came from which."""
        return [is_mixed for part in self._parts.values() for is_mixed in part.mixed]

    def rendered(self, translations: Sequence[Translation]) -> bytes:
        """The archive again, its files in their order."""
        out, place = io.BytesIO(), 0
        with (
            zipfile.ZipFile(io.BytesIO(self._data)) as archive,
            zipfile.ZipFile(out, "w") as made,
        ):
            for info in self._infos:
                part = self._parts.get(info.filename)
                if part is None:
                    _copy(archive, info, made)
                    continue
                n = len(part.passages)
                made.writestr(_fresh(info), part.rendered(translations[place : place + n]))
                place += n
        return out.getvalue()


def _checked(infos: Sequence[zipfile.ZipInfo]) -> Sequence[zipfile.ZipInfo]:
    """Refused if one is there twice, has no name, or is packed in a strange way."""
    names = {info.filename for info in infos}
    if len(names) < len(infos) or "" in names:
        raise InputError("the file is damaged: names of files in it are missing, or there twice")
    if any(info.compress_type not in PACKED for info in infos):
        raise InputError("the file is packed in a way that is not read: deflate is")
    return infos


def _read(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int, *, keep: bool
) -> tuple[bytes, int]:
    """What is in it, if it is wanted, and how long it is: no more than it may, whatever it says of
    itself."""
    pieces, length = [], 0
    with archive.open(info) as file:
        while piece := file.read(PIECE):
            length += len(piece)
            if length > most:
                raise InputError("the file unpacks to more than is allowed")
            if keep:
                pieces.append(piece)
    return b"".join(pieces), length


def _after_mark(make: Reader, text: str) -> Composed:
    """A byte order mark is no text."""
    if not text.startswith(MARK):
        return make(text)
    return Composed([MARK, *make(text.removeprefix(MARK)).parts])


def _copy(archive: zipfile.ZipFile, info: zipfile.ZipInfo, made: zipfile.ZipFile) -> None:
    """A piece at a time."""
    with archive.open(info) as file, made.open(_fresh(info), "w") as copied:
        while piece := file.read(PIECE):
            copied.write(piece)


def _fresh(info: zipfile.ZipInfo) -> zipfile.ZipInfo:
    """Another file's entry, without what holds for that file alone."""
    made = zipfile.ZipInfo(info.filename, info.date_time)
    made.compress_type, made.external_attr = info.compress_type, info.external_attr
    return made

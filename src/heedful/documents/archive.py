"""Documents that are archives of XML: docx, odt, epub."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from heedful.documents import book, open_document, word
from heedful.documents.allowance import Allowance
from heedful.documents.charsets import encoding_of
from heedful.documents.encoded import Encoded
from heedful.documents.labels import UNTOLD, Languages
from heedful.documents.translatable import Hint, Translatable
from heedful.errors import InputError
from heedful.planning import Translation

MOST_FILES = 10_000
ENTRY = re.compile(rb"PK\x01\x02(?=.{26}(..))", re.DOTALL)
"""Before each entry of an archive's directory, and how much else there is in it."""
MOST_ELSE = 1 << 19  # bytes: zipfile takes time in proportion to the square of each entry's
PIECE = 1 << 16  # bytes that are copied at a time
ENCRYPTED = 1  # of the flags of an entry
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""As these documents may be; other ways could ask for gigabytes to unpack with."""
DAMAGED = (
    zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError, LookupError,
    ValueError, EOFError, OSError,
)  # fmt: skip
"""What reading an archive ends with if it is none, or damaged. (NotImplementedError is zipfile's
word for what it does not know of archives.)"""

Read = Callable[[str, Allowance], Translatable[str]]
Contents = Callable[[str], bytes]
"""Of a file of the archive."""
KINDS: Mapping[str, Callable[[Sequence[str], Contents], Mapping[str, Read]]] = {
    "docx": word.texts,
    "odt": open_document.texts,
    "epub": book.texts,
}
"""By the ending of a name: which files inside are text, and how each is read."""


class Archive:
    """What is text in it is read; all else is copied from the one file to the other in the end."""

    def __init__(self, data: bytes, kind: str, allowance: Allowance) -> None:
        self._data = data
        self._parts: dict[str, Encoded] = {}
        _check_directory(data)
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                self._infos = _checked(archive.infolist())
                _check_sizes(archive, self._infos, allowance.unpacking(len(data)))
                names = [info.filename for info in self._infos]
                reads = KINDS[kind](names, archive.read)
                for name in filter(reads.__contains__, names):
                    content, read = archive.read(name), partial(_read, reads[name], allowance)
                    self._parts[name] = Encoded(content, read, encoding_of(content))
        except DAMAGED as error:
            raise InputError(f"this is no {kind} file, or it is damaged: {error}") from None
        if not self._parts:
            raise InputError(
                f"this is no {kind} file, or it is damaged: it has nothing in it that could be its "
                f"text"
            )

    @property
    def passages(self) -> list[str]:
        """Of all its files."""
        return [text for part in self._parts.values() for text in part.passages]

    @property
    def hints(self) -> list[Hint]:
        """One for each passage."""
        return [hint for part in self._parts.values() for hint in part.hints]

    def rendered(self, translations: Sequence[Translation], languages: Languages = UNTOLD) -> bytes:
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
                end = place + len(part.passages)
                content = part.rendered(translations[place:end], languages)
                made.writestr(_fresh(info), content)
                place = end
        return out.getvalue()


def _check_directory(data: bytes) -> None:
    """Before anybody reads it."""
    lengths = [int.from_bytes(match[1], "little") for match in ENTRY.finditer(data)]
    if len(lengths) > MOST_FILES:
        raise InputError(f"the file holds {len(lengths):,} files: {MOST_FILES:,} at most")
    if sum(lengths) > MOST_ELSE:
        raise InputError("the file says more of the files in it than is read")


def _checked(infos: Sequence[zipfile.ZipInfo]) -> Sequence[zipfile.ZipInfo]:
    """Refused if one is there twice, has no name or that of another place, or is packed in a
    strange way."""
    names = {info.filename for info in infos}
    if len(names) < len(infos) or "" in names:
        raise InputError("the file is damaged: names of files in it are missing, or there twice")
    if outside := next(filter(_is_outside, names), ""):
        raise InputError(f"the file names one outside of itself: {outside[:50]!r}")
    if any(info.flag_bits & ENCRYPTED for info in infos):
        raise InputError("the file is encrypted: save it without a password")
    if any(info.compress_type not in PACKED for info in infos):
        raise InputError("the file is packed in a way that is not read: deflate is")
    return infos


def _is_outside(name: str) -> bool:
    """Whether unpacking it would write elsewhere than in its folder."""
    parts = re.split(r"[/\\]", name)
    return ".." in parts or not parts[0] or parts[0][1:2] == ":"


def _check_sizes(archive: zipfile.ZipFile, infos: Sequence[zipfile.ZipInfo], most: int) -> None:
    """InputError if they unpack to more, whatever they say of themselves."""
    for info in infos:
        with archive.open(info) as file:
            while piece := file.read(PIECE):
                most -= len(piece)
                if most < 0:
                    raise InputError("the file unpacks to more than is allowed")


def _read(read: Read, allowance: Allowance, text: str) -> Translatable[str]:
    return read(text, allowance)


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

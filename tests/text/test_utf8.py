"""UTF-16 and UTF-32 are read by their byte order mark, as UTF-8 is."""

from __future__ import annotations

import gzip
import io
import os
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.errors import InputError
from heedful.text.corpus import ParallelCorpus
from heedful.text.lines import read_lines
from heedful.text.utf8 import BYTE_ORDER_MARKS, Utf8Reader, marked_encoding

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

LINES = ["가나다", "plain", "", "𝔊 é \u2028 x", "a\rb"]
TEXT = "\r\n".join(LINES)
MARKED = [(mark, encoding) for mark, encoding in BYTE_ORDER_MARKS.items()]


@pytest.mark.parametrize(("mark", "encoding"), MARKED)
def test_lines_and_pairs(mark: bytes, encoding: str, tmp_path: Path) -> None:
    data = mark + TEXT.encode(encoding)
    (tmp_path / "plain").write_bytes(data)
    (tmp_path / "packed.gz").write_bytes(gzip.compress(data))
    for name in ("plain", "packed.gz"):
        assert list(read_lines(tmp_path / name)) == LINES
    both = ParallelCorpus(tmp_path / "plain", tmp_path / "packed.gz")
    assert list(both) == [(line, line) for line in LINES]
    (tmp_path / "pairs").write_bytes(mark + "가\tB\n나\tC".encode(encoding))
    assert list(ParallelCorpus(pairs=tmp_path / "pairs")) == [("가", "B"), ("나", "C")]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode("utf-16"))))
    assert list(read_lines("-")) == LINES


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="machine: no named pipes here")
def test_a_line_is_there_before_the_next_is_written(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    has_read = threading.Event()

    def write() -> None:
        with pipe.open("wb", buffering=0) as out:
            out.write("é\n".encode("utf-16"))
            assert has_read.wait(timeout=60)
            out.write("z\n".encode("utf-16")[2:])

    writer = threading.Thread(target=write)
    writer.start()
    lines = read_lines(pipe)
    assert next(lines) == "é"
    has_read.set()
    assert list(lines) == ["z"]
    writer.join()


class OneByOne(io.RawIOBase):
    """A stream that has so many bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data, self._size = io.BytesIO(data), size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        out = memoryview(buffer).cast("B")
        piece = self._data.read(min(self._size, len(out)))
        out[: len(piece)] = piece
        return len(piece)


@given(
    st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(MARKED), st.integers(4, 9)
)
@settings(deadline=None)
def test_wherever_the_pieces_end(text: str, marked: tuple[bytes, str], size: int) -> None:
    mark, encoding = marked
    stream: io.BufferedReader = io.BufferedReader(OneByOne(mark + text.encode(encoding), size))
    found = io.BufferedReader(Utf8Reader(stream, lambda head: None), 3).read()
    assert found.decode() == "\ufeff" + text


@pytest.mark.parametrize(("mark", "encoding"), MARKED)
def test_damaged_text_is_told_with_its_line(mark: bytes, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(mark + "one\ntwo\nthree".encode(encoding) + b"\0")
    told = "text: the utf-.* text is cut short or damaged in line 3 "
    with pytest.raises(InputError, match=told):
        list(read_lines(path))
    with pytest.raises(InputError, match=told):
        list(ParallelCorpus(pairs=path))
    lines = read_lines(path)
    assert [next(lines), next(lines)] == ["one", "two"]


def test_a_lone_surrogate(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"\xff\xfe" + "a\nb".encode("utf-16-le") + b"\x00\xd8" + b"c\0")
    with pytest.raises(InputError, match="damaged in line 2"):
        list(read_lines(path))


def test_other_beginnings() -> None:
    assert marked_encoding(b"\xef\xbb\xbfa") is None
    assert marked_encoding(b"") is None
    assert marked_encoding(b"\xff\xfe") == "utf-16le"
    assert marked_encoding(b"\xff\xfe\0\0") == "utf-32le"

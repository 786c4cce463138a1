from __future__ import annotations

import gzip
import io
import lzma
import random
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.errors import InputError
from heedful.text.lines import read_lines

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}


def lines_of(data: bytes, ending: str = ".txt") -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file{ending}"
        path.write_bytes(data)
        return list(read_lines(path))


@given(st.lists(st.sampled_from(["a", "é", "\n", "\r\n", "\r", "\x0b", "\x85", "\u2028", "\x1c"])))
@settings(deadline=None, max_examples=200)
def test_lines_end_at_lf_and_crlf_only(parts: list[str]) -> None:
    text = "".join(parts)
    wanted = text.split("\n")
    ended = wanted.pop()
    wanted = [line.removesuffix("\r") for line in wanted] + ([ended] if ended else [])
    assert lines_of(text.encode()) == wanted


def test_only_one_carriage_return_belongs_to_the_end() -> None:
    assert lines_of(b"a\r\r\nb\r") == ["a\r", "b\r"]


def test_byte_order_mark_is_dropped_at_the_very_start_only() -> None:
    assert lines_of("\ufeffa\n\ufeffb".encode()) == ["a", "\ufeffb"]


@pytest.mark.parametrize("ending", COMPRESS)
def test_compressed_files_of_several_members(ending: str) -> None:
    compress = COMPRESS[ending]
    big = "".join(f"line {n} é\r\n" for n in range(50_000))
    data = compress(b"one\ntw") + compress(b"o\n") + compress(big.encode())
    assert lines_of(data, ending) == ["one", "two", *big.split("\r\n")[:-1]]
    assert lines_of(compress(b""), ending) == []


@pytest.mark.parametrize("ending", COMPRESS)
def test_compressed_file_cut_short_or_damaged(ending: str) -> None:
    text = "".join(f"line {n * n} é\n" for n in range(50_000))
    data = COMPRESS[ending](text.encode())
    with pytest.raises(InputError, match=rf"file\{ending}: the compressed data is cut short or"):
        lines_of(data[: len(data) // 2], ending)
    with pytest.raises(InputError, match=rf"file\{ending}: the compressed data is cut short or"):
        lines_of(b"not compressed at all\n", ending)
    middle = len(data) // 2
    with pytest.raises(InputError, match=rf"file\{ending}: "):
        lines_of(data[:middle] + bytes(99) + data[middle + 99 :], ending)


@pytest.mark.parametrize("ending", COMPRESS)
def test_the_line_of_the_cut_is_told(ending: str) -> None:
    """To within what the compressor holds back."""
    draw = random.Random(1)
    text = "".join(f"{draw.getrandbits(256):x}\n" for _ in range(4_000))
    data = COMPRESS[ending](text.encode())
    with pytest.raises(InputError, match=r"after line \d+ ") as told:
        lines_of(data[: len(data) // 2], ending)
    found = re.search(r"after line (\d+) ", str(told.value))
    assert found
    assert 1_000 < int(found[1]) < 2_100


def test_not_utf8_says_line_and_byte() -> None:
    with pytest.raises(InputError, match=r"line 2, byte 4 \(0xe9\) is not UTF-8.*iconv"):
        lines_of("abc\nété\n".encode().replace("té".encode(), b"t\xe9"))
    with pytest.raises(InputError, match=r"line 1, byte 5 \(0xff\)"):
        lines_of(b"\xef\xbb\xbfa\xff")
    with pytest.raises(InputError, match=r"line 1, byte 2 \(0xe2\)"):
        lines_of(b"a\xe2\x82")


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.txt: there is no such file"):
        list(read_lines(tmp_path / "none.txt"))
    with pytest.raises(InputError, match="this is a folder"):
        list(read_lines(tmp_path))
    with pytest.raises(InputError, match="cannot be opened"):
        list(read_lines("a\0b"))


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)  # root may read anything
    with pytest.raises(InputError, match="no permission to read it"):
        list(read_lines(tmp_path / "secret"))


def test_standard_input_is_read_and_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO("é\r\nb".encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert list(read_lines("-")) == ["é", "b"]
    assert not stdin.closed


def test_standard_input_in_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))
    with pytest.raises(InputError, match="standard input: line 1, byte 1"):
        list(read_lines("-"))

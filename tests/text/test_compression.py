"""Compressed text is recognised by its first bytes too."""

from __future__ import annotations

import gzip
import io
import lzma
import sys
from pathlib import Path

import pytest
import zstandard

from heedful.text.corpus import ParallelCorpus
from heedful.text.lines import read_lines


@pytest.mark.parametrize(
    "compress", [gzip.compress, lzma.compress, zstandard.ZstdCompressor().compress]
)
def test_whatever_the_file_is_called(
    compress: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(compress)
    data = compress("é\tb\nc\td\n".encode())
    (tmp_path / "pairs.tsv").write_bytes(data)
    assert list(read_lines(tmp_path / "pairs.tsv")) == ["é\tb", "c\td"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    spooled = ParallelCorpus(pairs="-").spool(tmp_path / "spool")
    assert list(spooled) == [("é", "b"), ("c", "d")]

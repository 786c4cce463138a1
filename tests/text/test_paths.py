"""How messages name files, and commands that convert them."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest

from heedful.errors import InputError
from heedful.text.corpus import ParallelCorpus
from heedful.text.paths import describe_path, filter_command


def test_commands(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a b", tmp_path / "c"
    plain.write_text("text")
    packed.write_bytes(gzip.compress(b"text"))
    assert filter_command(plain, "one", "two") == f"one < '{plain}' | two > NEW"
    assert filter_command(packed, "one", "two") == f"gzip -dc {packed} | one | two > NEW"
    assert filter_command("-", "one") == "... | one | heedful ..."


def test_a_copy_of_standard_input_is_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert describe_path("-") == "standard input"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\tb\tc\n")))
    spooled = ParallelCorpus(pairs="-").spool(tmp_path)
    told = r"^pairs from standard input: line 1 has 3 columns.*: \.\.\. \| cut -f 1,2 \| heedful"
    with pytest.raises(InputError, match=told):
        list(spooled)

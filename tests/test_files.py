"""Writing that a crash cannot harm."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from heedful.files import new_file, new_folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def raise_after(_: object) -> None:
    raise ZeroDivisionError


def test_a_new_file_takes_the_old_ones_place_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with new_file(path) as partial:
        partial.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert names(tmp_path) == ["file"]


def test_a_file_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), new_file(path) as partial:
        raise_after(partial.write_text("half"))
    assert path.read_text() == "old"
    assert names(tmp_path) == ["file"]


def test_a_new_folder_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "folder"
    with pytest.raises(ZeroDivisionError), new_folder(path) as partial:
        raise_after((partial / "half").write_text("half"))
    assert names(path.parent) == []
    (path.parent / ".folder.partial").mkdir()  # by a kill
    (path.parent / ".folder.partial" / "left").touch()
    with new_folder(path) as partial:
        (partial / "whole").touch()
        assert not path.exists()
    assert names(path.parent) == ["folder"]
    assert names(path) == ["whole"]


def test_a_folder_that_has_appeared_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    with pytest.raises(OSError, match="not empty"), new_folder(path):
        (path / "theirs").mkdir(parents=True)
    assert names(tmp_path) == ["folder"]
    assert names(path) == ["theirs"]


def test_nothing_is_ever_open_to_all_while_the_mask_is_read() -> None:
    """Other threads may write just then."""
    program = (
        "import os; real, seen = os.umask, []\n"
        "os.umask = lambda mask: (seen.append(mask), real(mask))[1]\n"
        "real(0o027); import heedful.files as files\n"
        "print([oct(mask) for mask in seen], oct(files.USUAL_MODE))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "['0o77', '0o27'] 0o640\n"

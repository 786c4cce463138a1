"""Files that are not UTF-8: what the message proposes is run, and gives the text back."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from pathlib import Path

import pytest

from heedful.errors import InputError
from heedful.text.lines import read_lines

from .sentences import ENCODED_IN, SENTENCES

needs_iconv = pytest.mark.skipif(not shutil.which("iconv"), reason="machine: no iconv here")


def fault_of(path: Path, language: str | None = None) -> str:
    with pytest.raises(InputError) as told:
        list(read_lines(path, language))
    return str(told.value)


def proposed(fault: str) -> str:
    """The command at the end of a message."""
    return fault.partition("Convert it first: ")[2]


def run(command: str, folder: Path) -> None:
    subprocess.run(["sh", "-c", command], cwd=folder, check=True)


@needs_iconv
@pytest.mark.parametrize(("language", "encoding"), ENCODED_IN)
def test_the_command_gives_the_text_back(language: str, encoding: str, tmp_path: Path) -> None:
    pairs = "".join(f"Line {n} of many.\t{line}\r\n" for n, line in enumerate(SENTENCES[language]))
    path = tmp_path / "the pairs.tsv"
    path.write_bytes(pairs.encode(encoding))
    fault = fault_of(path)
    assert "latin1" not in fault
    assert " is not UTF-8; it looks like " in fault
    run(proposed(fault), tmp_path)
    assert (tmp_path / "NEW").read_bytes() == pairs.encode()


@needs_iconv
def test_a_compressed_file(tmp_path: Path) -> None:
    path, text = tmp_path / "text.gz", "\n".join(SENTENCES["ko"])
    path.write_bytes(gzip.compress(text.encode("cp949")))
    fault = fault_of(path)
    assert fault.startswith(
        f"{path}: line 1, byte 1 (0xbe) is not UTF-8; it looks like cp949 (Korean, EUC-KR is part "
        f"of it). Convert it first: gzip -dc {path} | iconv -f cp949 -t utf-8 > NEW"
    )
    run(proposed(fault), tmp_path)
    assert (tmp_path / "NEW").read_text(encoding="utf-8") == text


def test_the_name_of_a_file_says_its_language(tmp_path: Path) -> None:
    (tmp_path / "one.ko").write_bytes("뛰어!\n".encode("cp949"))
    assert "it looks like cp949" in fault_of(tmp_path / "one.ko")
    (tmp_path / "one").write_bytes("뛰어!\n".encode("cp949"))
    assert "it looks like cp949" in fault_of(tmp_path / "one", "ko")
    assert "too short to say what it is" in fault_of(tmp_path / "one")
    assert "cp949 if it is Korean" in fault_of(tmp_path / "one")


def test_what_is_not_certain_is_said_to_be_so(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes("Jó napot. Ma szép idő van. Budapesten éltem.\n".encode("cp1250") * 3)
    fault = fault_of(path)
    assert "cp1250 (Central European)" in fault
    assert "which is not certain" in fault


def test_the_fault_may_come_late(tmp_path: Path) -> None:
    """Then the lines from there on say which encoding it is."""
    path = tmp_path / "text"
    korean = "\n".join(SENTENCES["ko"]).encode("cp949")
    path.write_bytes(b"Only ASCII here.\n" * 50_000 + korean)
    assert "line 50001, byte 1 (0xbe) is not UTF-8; it looks like cp949" in fault_of(path)


@needs_iconv
def test_a_file_that_is_mostly_utf8_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes("톰은 학교에 갔다.\n".encode() * 9 + b"a\xffb\n")
    fault = fault_of(path)
    assert "line 10, byte 2 (0xff) is not UTF-8, but most lines are" in fault
    command = fault.partition("leave out what is not UTF-8: ")[2]
    subprocess.run(["sh", "-c", command], cwd=tmp_path, check=False)  # it ends with 1 if it did so
    assert (tmp_path / "NEW").read_text(encoding="utf-8") == "톰은 학교에 갔다.\n" * 9 + "ab\n"


def test_what_is_no_text_at_all(tmp_path: Path) -> None:
    path = tmp_path / "noise"
    path.write_bytes(bytes(range(0x80, 0x100)) * 9)
    assert "in no other encoding that is usual for text" in fault_of(path)

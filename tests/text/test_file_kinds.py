"""What is given as text but is something else is named."""

from __future__ import annotations

import bz2
import io
import subprocess
import sys
import zipfile
from pathlib import Path

import docx
import pytest
from odf.opendocument import OpenDocumentText

from heedful.errors import InputError
from heedful.text.corpus import ParallelCorpus
from heedful.text.lines import read_lines

TMX = """<?xml version="1.0" encoding="{}"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header/><body><tu><tuv xml:lang="en"><seg>Hello <b>you</b>.</seg></tuv>
<tuv xml:lang="de"><seg>Grüß
dich.</seg></tuv></tu></body></tmx>"""
XLIFF = """<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><file><body>
<trans-unit id="1"><source>Hello</source><target>Grüße</target></trans-unit></body></file></xliff>
"""


def archive(*names: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        for name in names:
            file.writestr(name, "<xml/>")
    return data.getvalue()


def word() -> bytes:
    data = io.BytesIO()
    docx.Document().save(data)
    return data.getvalue()


def open_document() -> bytes:
    data = io.BytesIO()
    OpenDocumentText().write(data)
    return data.getvalue()


def fault_of(path: Path) -> str:
    """The same from both readers."""
    with pytest.raises(InputError) as lines:
        list(read_lines(path))
    with pytest.raises(InputError) as blocks:
        list(ParallelCorpus(pairs=path))
    assert str(lines.value) == str(blocks.value)
    return str(lines.value)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (word(), "this is a Word document (.docx), not text. Save it as plain text in UTF-8"),
        (
            archive("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"),
            "this is an Excel table (.xlsx), not text. Save it as tab-separated text in UTF-8",
        ),
        (open_document(), "this is an OpenDocument text (.odt)"),
        (
            archive("data/password/train.en", "pixl/train.de"),
            "this is a zip archive, not text. Unpack it",
        ),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "this is a PDF document"),
        (bz2.compress(b"text\n"), "this is bzip2 data"),
        (b"{\\rtf1\\ansi text}", "this is an RTF document"),
        (bytes(range(256)), "line 1 has a byte that is zero, as binary data has"),
        (b"a\tb\nc\0\td\n", "line 2 has a byte that is zero"),
        ("가나 a.\n".encode("utf-16-le") * 20, "looks like utf-16le without its byte order mark"),
        ("가나 a.\n".encode("utf-16-be") * 20, "iconv -f utf-16be -t utf-8 < "),
    ],
)
def test_kinds(data: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(data)
    assert told in fault_of(tmp_path / "text")


@pytest.mark.parametrize(
    ("data", "pairs"),
    [
        (TMX.format("utf-8").encode(), "Hello you.\tGrüß dich.\n"),
        (TMX.format("utf-16").encode("utf-16"), "Hello you.\tGrüß dich.\n"),
        (XLIFF.encode(), "Hello\tGrüße\n"),
    ],
)
def test_the_command_takes_pairs_out_of_xml(data: bytes, pairs: str, tmp_path: Path) -> None:
    (tmp_path / "it's.xml").write_bytes(data)
    fault = fault_of(tmp_path / "it's.xml")
    assert "), not lines of text" in fault
    command = fault.partition("with --pairs: ")[2].replace("python3", sys.executable, 1)
    subprocess.run(["sh", "-c", command], cwd=tmp_path, check=True)
    assert (tmp_path / "NEW").read_text(encoding="utf-8") == pairs


@pytest.mark.parametrize("line", ["PK", "<?xml version='1.0'?><p>a</p>", "% PDF", "<tmxa>", "BZh"])
def test_text_that_begins_a_little_like_them(line: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text(line)
    assert list(read_lines(tmp_path / "text")) == [line]

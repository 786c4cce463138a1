"""Files of all kinds."""

from __future__ import annotations

import io
import zipfile

import pytest

from heedful.documents.formats import ENDINGS, open_document
from heedful.errors import InputError

from .test_markup import shouted

MOST = 1_000_000


def archive(files: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as written:
        for name, content in files.items():
            written.writestr(name, content)
    return out.getvalue()


def translated(data: bytes, ending: str) -> bytes:
    document = open_document(data, ending, unpacked=MOST)
    return document.rendered([shouted(text) for text in document.passages])


def files_of(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        return {name: opened.read(name).decode() for name in opened.namelist()}


def test_plain_text() -> None:
    assert (
        translated("\ufeffOne.\r\n\r\n  two\n".encode(), "txt")
        == "\ufeffONE.\r\n\r\n  TWO\n".encode()
    )


def test_html() -> None:
    page = "<!DOCTYPE html>\n<html><head><title>t</title></head><body>é <b>b</b></body></html>"
    wanted = page.replace(">t<", ">T<").replace("é", "É").replace(">b<", ">B<")
    assert translated(page.encode(), "html") == wanted.encode()


def test_subtitles() -> None:
    cues = (
        "1\r\n00:00:01,000 --> 00:00:02,500\r\nHello there,\r\nmy <i>old</i> friend.\r\n\r\n"
        "2\r\n00:00:03,000 --> 00:00:04,000\r\n- 12\r\n"
    )
    assert translated(cues.encode(), "srt").decode() == (
        "1\r\n00:00:01,000 --> 00:00:02,500\r\nHELLO THERE,\r\nMY <i>OLD</i> FRIEND.\r\n\r\n"
        "2\r\n00:00:03,000 --> 00:00:04,000\r\n- 12\r\n"
    )


def test_word() -> None:
    body = (
        '<?xml version="1.0"?><w:document xmlns:w="x"><w:body><w:p><w:pPr><w:jc w:val="c"/></w:pPr>'
        '<w:r><w:rPr><w:b/></w:rPr><w:t>Hello </w:t></w:r><w:r><w:t xml:space="preserve">dear</w:t>'
        "<w:tab/><w:t>world &amp; co</w:t></w:r></w:p><w:p/><w:sectPr/></w:body></w:document>"
    )
    done = files_of(translated(archive({"[Content_Types].xml": "<T/>", "word/document.xml": body,
                                        "word/styles.xml": "<w:t>no</w:t>"}), "docx"))  # fmt: skip
    assert done["word/styles.xml"] == "<w:t>no</w:t>"
    text = done["word/document.xml"]
    assert text.startswith('<?xml version="1.0"?><w:document xmlns:w="x"><w:body><w:p><w:pPr><w:jc')
    assert '<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">HELLO' in text
    assert "WORLD &amp; CO" in text
    assert text.count("<w:tab/>") == 1
    assert text.endswith("<w:p/><w:sectPr/></w:body></w:document>")
    assert text.count("<w:r>") == text.count("</w:r>")


def test_open_document() -> None:
    body = (
        '<office:document-content xmlns:text="t"><office:meta>no</office:meta>'
        "<text:h>Title</text:h>"
        '<text:p text:style-name="P1">One <text:span text:style-name="T1">bold</text:span> word'
        "</text:p></office:document-content>"
    )
    data = archive({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": body})
    wanted = body.replace("Title", "TITLE").replace("One ", "ONE ").replace("bold", "BOLD")
    done = files_of(translated(data, "odt"))
    assert done["content.xml"] == wanted.replace(" word<", " WORD<")
    assert list(done) == ["mimetype", "content.xml"]


def test_books() -> None:
    page = "<html xmlns='h'><body><p>One</p></body></html>"
    contents = "<ncx><meta>no</meta><navLabel><text>Chapter</text></navLabel></ncx>"
    done = files_of(translated(archive({"mimetype": "application/epub+zip", "a/1.xhtml": page,
                                        "toc.ncx": contents, "p.png": "x"}), "epub"))  # fmt: skip
    assert done["a/1.xhtml"] == page.replace("One", "ONE")
    assert done["toc.ncx"] == contents.replace("Chapter", "CHAPTER")
    assert done["p.png"] == "x"


@pytest.mark.parametrize(
    ("data", "ending", "told"),
    [
        (b"x", "exe", "are not translated"),
        (b"x", "", "are not translated"),
        (b"\xff\xfe", "txt", "not UTF-8"),
        (b"no zip", "docx", "no docx file"),
        (archive({"a": "b"}), "docx", "nothing in it"),
        (archive({"content.xml": "<a"})[:-30], "odt", "no odt file"),
        (archive({"word/document.xml": "0" * (MOST + 1)}), "docx", "unpacks to more"),
        (archive({f"{n}": "0" * (MOST // 2) for n in range(3)}), "epub", "unpacks to more"),
    ],
    ids=[
        "unknown kind",
        "no kind",
        "another encoding",
        "no archive",
        "an archive of other things",
        "cut short",
        "one huge part",
        "huge in sum",
    ],
)
def test_what_cannot_be_opened_is_told(data: bytes, ending: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        open_document(data, ending, unpacked=MOST)


def test_every_kind_is_tested() -> None:
    assert set(ENDINGS) == {"txt", "html", "htm", "srt", "docx", "odt", "epub"}

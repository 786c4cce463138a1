"""Files of all kinds."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable

import pytest

from heedful.documents.formats import ENDINGS, open_document
from heedful.documents.labels import Languages
from heedful.errors import InputError
from heedful.planning import Translation

from .test_markup import shouted

MOST = 1_000_000


def archive(files: dict[str, str], packed: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packed) as written:
        for name, content in files.items():
            written.writestr(name, content)
    return out.getvalue()


def translated(data: bytes, ending: str) -> bytes:
    document = open_document(data, ending, unpacked=MOST)
    return document.rendered(list(map(shouted, document.passages, document.hints)))


def files_of(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        return {name: opened.read(name).decode() for name in opened.namelist()}


def test_plain_text() -> None:
    assert (
        translated("\ufeffOne.\r\n\r\n  two\n".encode(), "txt")
        == "\ufeffONE.\r\n\r\n  TWO\n".encode()
    )


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize(
    ("text", "ending"),
    [("é\n", "txt"), ("<p>é</p>", "html"), ("1\n00:00:01,000 --> 00:00:02,500\né", "srt")],
)
def test_utf_16_with_its_mark(text: str, ending: str, encoding: str) -> None:
    done = translated(f"\ufeff{text}".encode(encoding), ending).decode(encoding)
    assert done == "\ufeff" + text.replace("é", "É")


def test_a_page_may_say_utf_16_that_is() -> None:
    page = "\ufeff<meta charset=utf-16><p>мир</p>"
    assert translated(page.encode("utf-16-le"), "html") == page.replace("мир", "МИР").encode(
        "utf-16-le"
    )


def test_a_zero_in_a_page_of_a_book_is_no_reason_to_refuse_it() -> None:
    done = files_of(translated(archive({"1.xhtml": "<p>a\0b</p>", "2.xhtml": "<p>c</p>"}), "epub"))
    assert done["2.xhtml"] == "<p>C</p>"


def test_html() -> None:
    page = "<!DOCTYPE html>\n<html><head><title>t</title></head><body>é <b>b</b></body></html>"
    wanted = page.replace(">t<", ">T<").replace("é", "É").replace(">b<", ">B<")
    assert translated(page.encode(), "html") == wanted.encode()


@pytest.mark.parametrize(
    ("said", "encoding", "text"),
    [
        ("<meta charset=iso-8859-1>", "latin-1", "déjà"),
        (
            '<meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-1">',
            "cp1252",
            "“é”",
        ),
        ('<?xml version="1.0" encoding="windows-1251"?>', "cp1251", "мир"),
        ("<meta charset='Shift_JIS'>", "cp932", "世界"),
        ("<!-- <meta charset=koi8-r> --><meta charset=latin1>", "latin-1", "déjà"),
    ],
)
def test_pages_in_the_encoding_that_they_say(said: str, encoding: str, text: str) -> None:
    """What is copied stays in it; what is new goes by numbers, whatever there is in it."""
    page = f"{said}<!-- {text} --><p>{text}</p>"
    document = open_document(page.encode(encoding), "html", unpacked=MOST)
    assert document.passages == [text]
    done = document.rendered([Translation("ü→", 0.0, ())])
    assert done == f"{said}<!-- {text} --><p>&#252;&#8594;</p>".encode(encoding)


def test_a_page_of_a_book_in_the_encoding_that_it_says() -> None:
    page = '<?xml version="1.0" encoding="iso-8859-1"?><p>un café</p>'
    with zipfile.ZipFile(out := io.BytesIO(), "w") as written:
        written.writestr("1.xhtml", page.encode("latin-1"))
    done = files_of(translated(out.getvalue(), "epub"))["1.xhtml"]
    assert done == page.replace("un café", "UN CAF&#201;")


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


def test_words_of_different_looks_stay_apart() -> None:
    """White space between runs means nothing to Word: it must stand in one of them."""
    body = (
        "<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Hello </w:t></w:r><w:hyperlink><w:r><w:t>dear</w:t>"
        "</w:r></w:hyperlink><w:r><w:t> world</w:t></w:r><w:r><w:cr/></w:r></w:p>"
    )
    done = files_of(translated(archive({"word/document.xml": body}), "docx"))["word/document.xml"]
    assert done == (
        '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">HELLO </w:t></w:r><w:hyperlink>'
        '<w:r><w:t xml:space="preserve">DEAR</w:t></w:r></w:hyperlink>'
        '<w:r><w:t xml:space="preserve"> WORLD</w:t></w:r><w:r><w:cr/></w:r></w:p>'
    )


def test_word_with_elements_in_elements_and_large_looks() -> None:
    """Neither may cost more than in proportion."""
    deep = "<w:sdt>" * 9000 + "<w:r><w:t>no</w:t></w:r>" + "</w:sdt>" * 9000
    looks = f"<w:rPr>{'<w:b/>' * 9000}</w:rPr>"
    body = f"<w:p>{deep}<w:r>{looks}{'<w:t>x</w:t><w:tab/>' * 9000}</w:r></w:p>"
    done = files_of(translated(archive({"word/document.xml": body}), "docx"))["word/document.xml"]
    assert len(done) < 3 * len(body)
    assert done.count("<w:tab/>") == 9000
    assert done.count("<w:sdt>") == 9000


def test_open_document_with_spaces() -> None:
    body = "<text:p>one<text:tab/>two<text:s/>three</text:p>"
    data = archive({"content.xml": body})
    assert open_document(data, "odt", unpacked=MOST).passages == ["one two three"]
    assert files_of(translated(data, "odt"))["content.xml"] == (
        "<text:p>ONE<text:tab/>TWO<text:s/>THREE</text:p>"
    )


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


def test_the_title_and_the_contents_of_a_book() -> None:
    """Though it stands before the pages, each translation goes to its place."""
    package = (
        '<package xmlns:d="http://purl.org/dc/elements/1.1/"><metadata><d:title>A day</d:title>'
        "<d:creator>Some one</d:creator><d:language>en</d:language><d:description>It rains."
        '</d:description><meta name="a">no</meta></metadata></package>'
    )
    nav = '<nav epub:type="toc"><ol><li><a href="1.xhtml">Rain</a></li></ol></nav>'
    data = archive({"a.opf": package, "nav.xhtml": nav, "1.xhtml": "<p>One</p>"})
    document = open_document(data, "epub", unpacked=MOST)
    shouts = list(map(shouted, document.passages, document.hints))
    done = files_of(document.rendered(shouts, Languages("en", "de")))
    wanted = package.replace("A day", "A DAY")
    assert done["a.opf"] == wanted.replace(">en<", ">de<")
    assert done["nav.xhtml"] == nav.replace("Rain", "RAIN")
    assert done["1.xhtml"] == "<p>ONE</p>"


@pytest.mark.parametrize(
    "damaged",
    [
        "<html><body><p>one <b>two</p><p>three</b></body>",
        "<html><body><p>one</p></div></p><p>two & three < four</p>",
        "<html><body><p>one</p><p>two <b>thr",
        '<html><body><p>one</p><p class="two>three</p></body></html>',
        "<html><body><p>one</p><!-- two <p>three</p></body></html>",
        "<html><body><p>one &two; <![CDATA[three]]</p></body></html>",
    ],
)
def test_a_damaged_page_of_a_book_stays_as_damaged(damaged: str) -> None:
    """Words that can be told from tags are translated; nothing is lost, nothing is mended."""
    data = archive({"1.xhtml": damaged, "2.xhtml": "<p>whole</p>"})
    done = files_of(translated(data, "epub"))
    assert "ONE" in done["1.xhtml"]
    assert done["1.xhtml"].lower().replace("&amp;", "&").replace("&lt;", "<") == damaged.lower()
    assert done["2.xhtml"] == "<p>WHOLE</p>"


def test_what_is_no_text_of_an_archive_stays() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as written:
        written.writestr("mimetype", "application/epub+zip")
        written.writestr("a/", "")
        written.writestr(zipfile.ZipInfo("a/1.html", (2001, 2, 3, 4, 5, 6)), "\ufeff<p>One</p>")
        written.writestr("p.png", b"\xff" * 200_000, zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(io.BytesIO(translated(out.getvalue(), "epub"))) as done:
        assert done.namelist() == ["mimetype", "a/", "a/1.html", "p.png"]
        assert done.read("a/1.html").decode() == "\ufeff<p>ONE</p>"
        assert done.read("p.png") == b"\xff" * 200_000
        assert done.getinfo("mimetype").compress_type == zipfile.ZIP_STORED
        assert done.getinfo("p.png").compress_type == zipfile.ZIP_DEFLATED
        assert done.getinfo("a/1.html").date_time == (2001, 2, 3, 4, 5, 6)


def test_a_cue_of_many_lines() -> None:
    lines = "".join(f"line {n}\n" for n in range(20_000))
    cues = f"1\n00:00:01,000 --> 00:00:02,500\n{lines}\n"
    assert translated(cues.encode(), "srt").decode() == cues.replace("line", "LINE")


@pytest.mark.parametrize(
    ("data", "ending", "told"),
    [
        (b"x", "exe", "are not translated"),
        (b"x", "", "are not translated"),
        (b"\xff", "txt", "not UTF-8"),
        ("One.".encode("utf-16-be"), "txt", "not UTF-8: byte 0 is zero"),
        (b"\xff\xfea\0\0", "srt", "not UTF-16LE: byte 4"),
        (b"no zip", "docx", "no docx file"),
        (archive({"a": "b"}), "docx", "nothing in it"),
        (archive({"content.xml": "<a"})[:-30], "odt", "no odt file"),
        (archive({"word/document.xml": "0" * (MOST + 1)}), "docx", "unpacks to more"),
        (archive({f"{n}": "0" * (MOST // 2) for n in range(3)}), "epub", "unpacks to more"),
        (archive({"a.html": "<b>" * 6000, "b.html": "<b>" * 6000}), "epub", "10,000 tags at most"),
        (b"<b>" * 10_001, "html", "10,000 tags at most"),
        (archive({str(n): "" for n in range(10_001)}), "epub", "10,001 files"),
        (archive({"a.html": "x"}, zipfile.ZIP_LZMA), "epub", "a way that is not read"),
        (archive({"a.html": "x", "b.html": "y"}).replace(b"b.html", b"a.html"), "epub", "twice"),
        (archive({"word/document.xml": "<w:p><w:r></w:p></w:r>"}), "docx", "</w:p> ends nothing"),
        (archive({"word/document.xml": "<w:p><w:r></w:r>"}), "docx", "<w:p> is never ended"),
        (archive({"content.xml": "<text:p>One<text:s/>"}), "odt", "<text:p> is never ended"),
        (archive({"word/header1.xml": "<w:p/>", "word/styles.xml": "<a/>"}), "docx", "nothing in"),
        (archive({"styles.xml": "<text:p>One</text:p>"}), "odt", "nothing in it"),
        ("<meta charset=windows-1252>\x81".encode("latin-1"), "html", "not CP1252: byte 27"),
        ("<meta charset=utf-7>\xe9".encode("latin-1"), "html", "not UTF-8"),
        ("<meta charset=latin1>\xe9".encode("latin-1"), "txt", "not UTF-8"),
    ],
    ids=[
        "unknown kind",
        "no kind",
        "another encoding",
        "UTF-16 that does not say so",
        "cut short inside a letter",
        "no archive",
        "an archive of other things",
        "cut short",
        "one huge part",
        "huge in sum",
        "too many tags in sum",
        "too many tags",
        "too many files",
        "packed in another way",
        "a name twice",
        "elements that overlap",
        "an element without an end",
        "the same in odt",
        "without its main part",
        "the same of odt",
        "not what it says",
        "an encoding that is not read",
        "text that says no encoding",
    ],
)
def test_what_cannot_be_opened_is_told(data: bytes, ending: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        open_document(data, ending, unpacked=MOST, tags=10_000)


@pytest.mark.parametrize("ending", ["docx", "odt", "epub"])
@pytest.mark.parametrize(
    "name",
    ["../../evil", "a/../../evil", "a/..", "/evil", "\\evil", "C:\\evil", "c:evil", "a\\..\\b"],
)
def test_files_outside_of_an_archive_are_refused(ending: str, name: str) -> None:
    with zipfile.ZipFile(out := io.BytesIO(SMALL[ending]), "a") as written:
        written.writestr(name, "x")
    with pytest.raises(InputError, match=re.escape(f"outside of itself: {name!r}")):
        open_document(out.getvalue(), ending, unpacked=MOST)


def test_names_with_points_in_an_archive_stay() -> None:
    names = ["a..b/1.html", "..a", "a/.b", "a\\b.png"]
    data = translated(archive(dict.fromkeys(names, "x")), "epub")
    assert list(files_of(data)) == names


SMALL: dict[str, bytes] = {
    "docx": archive({"word/document.xml": "<w:p><w:r><w:t>One</w:t></w:r></w:p>", "b": "x"}),
    "odt": archive({"mimetype": "a", "content.xml": "<a><text:p>One two</text:p></a>"}),
    "epub": archive({"mimetype": "a", "1.html": "<p>One <b>two</b></p>", "p.png": "123"}),
}


@pytest.mark.parametrize("ending", SMALL)
@pytest.mark.parametrize(
    "damage", [lambda byte: byte ^ 0xFF, lambda byte: byte ^ 1, lambda byte: 0], ids=["~", "1", "0"]
)
def test_damage_is_told(ending: str, damage: Callable[[int], int]) -> None:
    """Wherever it is; if it is nowhere that matters, the file is translated."""
    told = 0
    for n in range(len(SMALL[ending])):
        data = bytearray(SMALL[ending])
        data[n] = damage(data[n])
        try:
            translated(bytes(data), ending)
        except InputError:
            told += 1
    assert told > 50


@pytest.mark.parametrize("ending", SMALL)
def test_a_file_that_is_cut_short_is_told(ending: str) -> None:
    for n in range(len(SMALL[ending])):
        with pytest.raises(InputError):
            translated(SMALL[ending][:n], ending)


@pytest.mark.parametrize(
    ("ending", "name", "start"),
    [
        ("docx", "word/document.xml", '<?xml version="1.0"?><w:document xmlns:w="x">'),
        ("odt", "content.xml", '<?xml version="1.0"?><office:document-content xmlns:text="x">'),
    ],
)
def test_a_part_that_is_cut_short_is_told(ending: str, name: str, start: str) -> None:
    """Though the archive is whole."""
    for n in range(len(start) + 1):
        with pytest.raises(InputError, match="is damaged"):
            open_document(archive({name: start[:n], "b": "x"}), ending, unpacked=MOST)


def test_every_kind_is_tested() -> None:
    assert set(ENDINGS) == {"txt", "html", "htm", "srt", "docx", "odt", "epub"}


def test_an_encrypted_archive_is_told() -> None:
    data = bytearray(archive({"a.html": "x"}))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(InputError, match="the file is encrypted: save it without a password"):
        open_document(bytes(data), "epub", unpacked=MOST)

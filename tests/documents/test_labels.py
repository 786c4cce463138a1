"""The languages that files say they are in."""

from __future__ import annotations

import io
import zipfile

import docx
import pytest
from ebooklib import epub

from heedful.documents.allowance import MOST_UNPACKED, Allowance
from heedful.documents.formats import open_document
from heedful.documents.labels import Languages, country_of, language_of
from heedful.documents.word import read_word

from .made import book_file, open_document_file, word_file
from .test_formats import archive, files_of
from .test_markup import shouted

GERMAN = Languages("en", "de")


def translated(data: bytes, ending: str, languages: Languages = GERMAN) -> bytes:
    document = open_document(data, ending, unpacked=MOST_UNPACKED)
    return document.rendered(list(map(shouted, document.passages, document.hints)), languages)


@pytest.mark.parametrize(
    ("code", "source", "is_source"),
    [
        ("en", "en", True),
        ("EN-us", "en", True),
        ("en_US", "en", True),
        ("en-US", "en_us", True),
        ("zh", "zh-hans", True),
        ("zh-CN", "zh-hans", True),
        ("zh-Hans-CN", "zh-hans", True),
        ("zh-TW", "zh-hans", False),
        ("zh-HK", "zh-hant", True),
        ("nb-NO", "no", True),
        ("no", "nb", True),
        ("nn", "nb", False),
        ("pt-PT", "pt-br", False),
        ("eng", "en", False),
        ("de", "en", False),
        ("", "en", False),
        ("en", "", False),
        ('"><b', '"><b', False),
    ],
)
def test_what_is_the_source(code: str, source: str, is_source: bool) -> None:
    assert Languages(source, "fr").is_source(code) is is_source


def test_a_target_that_is_no_code_is_written_nowhere() -> None:
    page = '<p lang="en">a</p>'
    assert translated(page.encode(), "html", Languages("en", '"><script>')).decode().lower() == page


@pytest.mark.parametrize(
    ("page", "outcome"),
    [
        ('<html lang="en-US"><p>a</p>', '<html lang="de"><p>A</p>'),
        ("<html lang=en><p>a</p>", "<html lang=de><p>A</p>"),
        ("<HTML LANG='en' xml:lang='en'>a", "<HTML LANG='de' xml:lang='de'>A"),
        ('<p title="x" lang="en">a', '<p title="X" lang="de">A'),
        ('<p>a <i lang="en">b</i> c</p>', '<p>A <i lang="de">B</i> C</p>'),
        # Other languages, what stays, what only looks like it.
        ('<p>a <i lang="fr">b</i> c</p>', '<p>A <i lang="fr">B</i> C</p>'),
        ('<i lang="en" translate="no">b</i> c', '<i lang="en" translate="no">b</i> C'),
        ('<pre lang="en">b</pre>', '<pre lang="en">b</pre>'),
        ('<p data-lang="en" hreflang="en">a</p>', '<p data-lang="en" hreflang="en">A</p>'),
        ('<!-- lang="en" title="x" -->a', '<!-- lang="en" title="x" -->A'),
        ("lang=en <p lang>a</p>", "LANG=EN <p lang>A</p>"),
        ('<p lang title="x">a</p>', '<p lang title="X">A</p>'),
        ('<p xml:lang lang="en" title="x">a</p>', '<p xml:lang lang="de" title="X">A</p>'),
        ('<p lang xml:lang="en">a</p>', '<p lang xml:lang="de">A</p>'),
        ('<p lang="" xml:lang="en">a</p>', '<p lang="" xml:lang="de">A</p>'),
        ('<p lang=" >a</p>', '<p lang=" >A</p>'),
    ],
)
def test_pages(page: str, outcome: str) -> None:
    assert translated(page.encode(), "html").decode() == outcome
    assert translated(page.encode(), "html", Languages()).decode().lower() == page.lower()


def test_books() -> None:
    book = epub.read_epub(io.BytesIO(translated(book_file(), "epub")))
    assert book.get_metadata("DC", "language") == [("de", {})]
    done = files_of(translated(book_file(), "epub"))
    assert 'lang="de"' in done["EPUB/c1.xhtml"]
    assert 'lang="en"' not in "".join(done[name] for name in done if name.endswith("html"))


def test_other_languages_of_books_stay() -> None:
    package = "<dc:language> en-GB </dc:language><dc:language id='x'>fr</dc:language>"
    done = files_of(translated(archive({"1.html": "<p>a</p>", "a.opf": package}), "epub"))
    assert done["a.opf"] == package.replace("en-GB", "de")


def test_word() -> None:
    done = translated(word_file(), "docx")
    styles = docx.Document(io.BytesIO(done)).styles.element.xml
    assert '<w:lang w:val="de" w:eastAsia="en-US" w:bidi="ar-SA"/>' in styles


def test_the_language_of_a_run() -> None:
    body = "".join(
        f"<w:p><w:pPr><w:rPr>{looks}</w:rPr></w:pPr><w:r><w:rPr>{looks}</w:rPr>"
        f'<w:t xml:space="preserve">a</w:t></w:r></w:p>'
        for looks in ('<w:lang w:val="en-US" w:bidi="ar-SA"/>', '<w:lang w:val="fr-FR"/>')
    )
    read = read_word(body, Allowance())
    done = read.rendered(list(map(shouted, read.passages, read.hints)), GERMAN)
    assert done == body.replace("en-US", "de").replace(">a<", ">A<")


def test_the_language_of_a_run_without_text() -> None:
    looks = '<w:rPr><w:lang w:val="en-US"/></w:rPr>'
    runs = [f"<w:r>{looks}{inside}</w:r>" for inside in ("<w:t>a</w:t>", "<w:tab/>")]
    read = read_word(f"<w:p>{''.join(runs)}</w:p>", Allowance())
    done = read.rendered(list(map(shouted, read.passages, read.hints)), GERMAN)
    assert done.count('w:val="de"') == 2


def test_open_documents() -> None:
    styles = (
        '<style:text-properties fo:language="en" fo:country="US" style:language-asian="en"/>'
        '<style:text-properties fo:country="FR" fo:language="fr"/>'
    )
    data = archive({"content.xml": "<text:p>a</text:p>", "styles.xml": styles})
    done = files_of(translated(data, "odt", Languages("en", "pt-br")))
    assert done["styles.xml"] == styles.replace(
        'fo:language="en" fo:country="US"', 'fo:language="pt" fo:country="BR"'
    )
    done = files_of(translated(open_document_file(), "odt"))
    assert 'fo:language="de"' in done["styles.xml"]
    assert 'fo:country="none"' in done["styles.xml"]


@pytest.mark.parametrize(
    ("said", "source", "outcome"),
    [
        ('fo:language="pt" fo:country="PT"', "pt-br", 'fo:language="pt" fo:country="PT"'),
        ('fo:language="pt" fo:country="BR"', "pt-br", 'fo:language="en" fo:country="none"'),
        ('fo:country="PT" fo:language="pt"', "pt", 'fo:country="none" fo:language="en"'),
        ('fo:language="pt" fo:country="none"', "pt-br", 'fo:language="en" fo:country="none"'),
        ('fo:language="zh" fo:country="TW"', "zh-hans", 'fo:language="zh" fo:country="TW"'),
        ('fo:country="DE"', "de", 'fo:country="DE"'),
    ],
)
def test_the_country_of_open_documents(said: str, source: str, outcome: str) -> None:
    data = archive({"content.xml": f"<a {said}/><text:p>a</text:p>"})
    done = files_of(translated(data, "odt", Languages(source, "en")))
    assert done["content.xml"] == f"<a {outcome}/><text:p>A</text:p>"


@pytest.mark.parametrize(
    ("ending", "text", "name", "encoding"),
    [
        ("epub", "1.html", "a.opf", "utf-16"),
        ("docx", "word/document.xml", "word/styles.xml", "latin-1"),
    ],
)
def test_what_only_says_the_language_may_be_unreadable(
    ending: str, text: str, name: str, encoding: str
) -> None:
    out = io.BytesIO()
    said = "<dc:language>en</dc:language><w:lang w:val='en'/>é".encode(encoding)
    with zipfile.ZipFile(out, "w") as file:
        file.writestr(text, "<w:p><w:r><w:t>a</w:t></w:r></w:p>")
        file.writestr(name, said)
    with zipfile.ZipFile(io.BytesIO(translated(out.getvalue(), ending))) as file:
        assert file.read(name) == said
        assert b"A" in file.read(text)


def test_codes_in_parts() -> None:
    assert [language_of(code) for code in ("de", "pt-br")] == ["de", "pt"]
    assert [country_of(code) for code in ("de", "pt-br", "zh-hans")] == ["none", "BR", "none"]

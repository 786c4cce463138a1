"""Files as other programs write them, and read them again."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from xml.etree import ElementTree

import docx
import pytest
from docx.oxml.ns import qn
from ebooklib import epub
from odf import teletype
from odf.opendocument import load

from heedful.documents.allowance import MOST_UNPACKED
from heedful.documents.formats import open_document

from .made import book_file, open_document_file, word_file
from .test_markup import backwards, shouted

FILES = {"docx": word_file, "odt": open_document_file, "epub": book_file}


def files_of(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        names = [n for n in opened.namelist() if n.endswith((".xml", ".xhtml", ".ncx", ".rels"))]
        return {name: opened.read(name).decode() for name in names}


def tags_of(written: str) -> Counter[str]:
    return Counter(re.findall(r"</?([\w:]+)", written))


def opens(data: bytes, ending: str) -> str:
    """All its text, as the library that made it reads it."""
    if ending == "docx":
        made = docx.Document(io.BytesIO(data))
        return "".join(node.text or "" for node in made.element.iter(qn("w:t")))
    if ending == "odt":
        opened = load(io.BytesIO(data))
        return str(teletype.extractText(opened.text))
    book = epub.read_epub(io.BytesIO(data))
    return str(book.get_item_with_href("c1.xhtml").content.decode())


@pytest.mark.parametrize("ending", FILES)
def test_all_text_is_found(ending: str) -> None:
    passages = open_document(FILES[ending](), ending, unpacked=MOST_UNPACKED).passages
    wanted = {
        "docx": ["Words above", "Words below", "First words above", "Main title & more",
                 "A plain bold and (slanted) text (see there).", "A claim that goes on.",
                 "The note itself.", "Before it behind it", "Words in a box.",
                 "code: indented more spaces", "The last page. A new page.", "Item one",
                 "Cell one", "Cell inside"],
        "odt": ["Words above", "Words below", "The title", "A claim (bold) word2 and link.",
                "The note itself.", "On page a very fine box here", "Words in a box.", "Item one",
                "Cell one"],
        "epub": ["Chapter one", "Some strong words here and H2O.",
                 "Anchor here is one sentence more.", "A picture", "Cell one", "The note itself."],
    }  # fmt: skip
    assert set(wanted[ending]) <= set(passages)
    assert "A remark" not in passages


@pytest.mark.parametrize("ending", FILES)
def test_where_order_is_kept_only_words_change(ending: str) -> None:
    data = FILES[ending]()
    document = open_document(data, ending, unpacked=MOST_UNPACKED)
    done = document.rendered(list(map(shouted, document.passages, document.hints)))
    before, after = files_of(data), files_of(done)
    assert before.keys() == after.keys()
    for name, written in before.items():
        ElementTree.fromstring(after[name])
        assert _alike(after[name]) == _alike(written), name
    assert opens(done, ending).lower() == opens(data, ending).lower()
    assert opens(done, ending) != opens(data, ending)


def _alike(written: str) -> str:
    """Without what may change: letters, names of spaces, and where runs of the same looks part."""
    written = written.replace(' xml:space="preserve"', "").replace("&#160;", "\u00a0").lower()
    return written.replace("</w:r><w:r>", "").replace("</w:t><w:t>", "")


@pytest.mark.parametrize("ending", FILES)
def test_where_order_changes_nothing_is_lost(ending: str) -> None:
    data = FILES[ending]()
    document = open_document(data, ending, unpacked=MOST_UNPACKED)
    done = document.rendered(list(map(backwards, document.passages, document.hints)))
    before, after = files_of(data), files_of(done)
    for name, written in before.items():
        ElementTree.fromstring(after[name])
        old, new = tags_of(written), tags_of(after[name])
        assert {
            tag: n for tag, n in old.items() if new[tag] < n and tag not in ("w:r", "w:t")
        } == {}
    letters = [Counter(re.sub(r"\s", "", opens(one, ending))) for one in (data, done)]
    if ending != "epub":
        assert letters[0] == letters[1]


def test_spaces_of_word_stay() -> None:
    document = open_document(word_file(), "docx", unpacked=MOST_UNPACKED)
    done = document.rendered(list(map(shouted, document.passages, document.hints)))
    texts = [paragraph.text for paragraph in docx.Document(io.BytesIO(done)).paragraphs]
    assert "    CODE:\n\tINDENTED\n  MORE  SPACES" in texts

"""What is too large is told before it has cost much."""

from __future__ import annotations

import io
import tracemalloc
import zipfile

import pytest

from heedful.documents import word, word_tokens
from heedful.documents.allowance import MOST_UNPACKED, Allowance
from heedful.documents.formats import open_document
from heedful.documents.tags import unescaped
from heedful.errors import InputError

from .test_formats import archive

WORD = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"


def refused(data: bytes, ending: str) -> tuple[str, int]:
    """What is told, and the most bytes that it took."""
    tracemalloc.start()
    try:
        with pytest.raises(InputError) as told:
            open_document(data, ending, unpacked=MOST_UNPACKED)
        return str(told.value), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("name", "ending", "text"),
    [
        ("word/document.xml", "docx", WORD.format("&amp;" * 3_000_000)),
        ("a.html", "epub", "&amp;" * 3_000_000),
        ("content.xml", "odt", f"<text:p>{'&amp;' * 3_000_000}</text:p>"),
        ("a.html", "epub", f"<p translate={'a=1 ' * 3_000_000}>"),
    ],
)
def test_what_is_packed_a_thousandfold_is_not_even_kept(name: str, ending: str, text: str) -> None:
    data = archive({name: text})
    told, peak = refused(data, ending)
    assert "unpacks to more" in told
    assert peak < 5_000_000


def test_other_documents_may_be_packed_well() -> None:
    rows = "".join(WORD.format(f"Row {n} of a table") for n in range(9000))
    document = open_document(archive({"word/document.xml": rows}), "docx", unpacked=MOST_UNPACKED)
    assert len(document.passages) == 9000


@pytest.mark.parametrize("text", ["&amp;", "x", " ", "&#000000000065;"])
def test_text_is_counted_before_it_is_read(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it would be read otherwise, to be refused in the end."""
    read: list[str] = []

    def noted(written: str) -> str:
        read.append(written)
        return unescaped(written)

    monkeypatch.setattr(word_tokens, "unescaped", noted)
    body = "".join(WORD.format(text * 1000) for _ in range(300))
    with pytest.raises(InputError, match="1,000 characters of text at most"):
        word.read_word(body, Allowance(characters=1000))
    assert sum(map(len, read)) <= 20_000


@pytest.mark.parametrize(
    ("most", "told"),
    [
        ({"tags": 5}, "5 tags at most"),
        ({"passages": 2}, "2 passages at most"),
        ({"characters": 11}, "11 characters of text at most"),
    ],
)
@pytest.mark.parametrize("ending", ["html", "srt", "txt"])
def test_amounts(most: dict[str, int], told: str, ending: str) -> None:
    texts = {
        "html": "<p>abcd</p><p>abcd</p><p>abcd</p>",
        "srt": "00:00:01,0 --> 00:00:02,0\n<i>abcd</i>\n\n<b>abcd</b>\n\n<u>abcd</u>",
        "txt": "abcd\nabcd\nabcd",
    }
    if ending == "txt" and "tags" in told:
        return
    with pytest.raises(InputError, match=told):
        open_document(texts[ending].encode(), ending, unpacked=0, **most)


@pytest.mark.parametrize(
    ("ending", "text", "name", "tag"),
    [
        ("docx", "word/document.xml", "word/styles.xml", "<lang val='en"),
        ("epub", "a.html", "a.opf", "<language>en</"),
    ],
)
def test_languages_are_tags_too(ending: str, text: str, name: str, tag: str) -> None:
    data = archive({text: "<p>a</p>", name: tag * 30})
    with pytest.raises(InputError, match="20 tags at most"):
        open_document(data, ending, unpacked=MOST_UNPACKED, tags=20)


def test_entries_that_say_much_of_themselves_are_told() -> None:
    """To read each takes as long as the square of what it says."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as written:
        for n in range(10):
            info = zipfile.ZipInfo(f"{n}.html")
            info.extra = b"\xfe\xca\0\0" * 16_000
            written.writestr(info, "x")
    told, _ = refused(out.getvalue(), "epub")
    assert "says more" in told


def test_lines_that_may_become_passages_count() -> None:
    lines = "<w:p><w:r>" + "<w:t>- a</w:t><w:br/>" * 50 + "</w:r></w:p>"
    assert len(word.read_word(lines, Allowance(passages=51)).passages) == 50
    with pytest.raises(InputError, match="50 passages at most"):
        word.read_word(lines, Allowance(passages=50))

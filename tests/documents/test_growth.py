"""Paragraphs of Word and of OpenDocument take time and memory that grow with them alone."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

import pytest

from heedful.documents.allowance import Allowance
from heedful.documents.layout import Layout, plain
from heedful.documents.markup import read_markup
from heedful.documents.open_document import OPEN_DOCUMENT
from heedful.documents.passage import Composed, Passage, passages_in
from heedful.documents.word import read_word
from heedful.planning import Translation
from heedful.text.links import Link

from .test_markup import backwards

RUN = "<w:r><w:rPr><w:{}/></w:rPr><w:t>{}</w:t></w:r>"
FIELD = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
BOX = f"<w:r><w:pict><w:p>{RUN.format('i', 'y')}</w:p></w:pict></w:r>"
WORD: dict[str, tuple[str, str]] = {
    "runs": (RUN.format("b", "x ") + RUN.format("i", "y "), ""),
    "signs": (RUN.format("b", "-") + RUN.format("i", "+"), ""),
    "words in one": (RUN.format("b", "x") + RUN.format("i", "y"), ""),
    "marks": (RUN.format("b", "x") + "<w:bookmarkStart/><w:r><w:tab/></w:r>", ""),
    "links in links": ("<w:hyperlink>" + RUN.format("b", "x"), "</w:hyperlink>"),
    "fields in fields": (
        FIELD.format("begin") + FIELD.format("separate") + RUN.format("b", "x"),
        FIELD.format("end"),
    ),
    "fields without an end": (FIELD.format("begin") + FIELD.format("separate") + "<w:r/>", ""),
    "boxes": (RUN.format("b", "x") + BOX, ""),
    "boxes in boxes": (RUN.format("b", "x") + "<w:r><w:pict><w:p>", "</w:p></w:pict></w:r>"),
    "names": ("<w:r><w:t>&co;x</w:t></w:r>", ""),
}
OPEN: dict[str, tuple[str, str]] = {
    "spans": ("<text:span>x</text:span> <text:span>y</text:span>", ""),
    "spans in spans": ("<text:span>x", "</text:span>"),
    "notes": ("x<text:note><text:p>y</text:p></text:note>", ""),
    "notes in notes": ("x<text:note><text:p>", "</text:p></text:note>"),
    "marks": ("x<text:bookmark/> <text:s/>", ""),
}


def word(pattern: tuple[str, str], n: int) -> Composed:
    return read_word(f"<w:p>{pattern[0] * n}{pattern[1] * n}</w:p>", Allowance())


def open_text(pattern: tuple[str, str], n: int) -> Composed:
    body = f"<text:p>{pattern[0] * n}{pattern[1] * n}</text:p>"
    return read_markup(body, OPEN_DOCUMENT, Allowance())


CASES = [(word, pattern) for pattern in WORD.values()]
CASES += [(open_text, pattern) for pattern in OPEN.values()]
NAMES = [*(f"word {name}" for name in WORD), *(f"odt {name}" for name in OPEN)]
Reader = Callable[[tuple[str, str], int], Composed]


def seconds(read: Reader, pattern: tuple[str, str], n: int) -> float:
    """Of this process alone."""
    started = time.process_time()
    document = read(pattern, n)
    document.rendered(list(map(backwards, document.passages, document.hints)))
    return time.process_time() - started


@pytest.mark.parametrize(("read", "pattern"), CASES, ids=NAMES)
def test_time(read: Reader, pattern: tuple[str, str]) -> None:
    """Eight times the text may not take 64 times as long."""
    assert any(
        seconds(read, pattern, 2000) < 24 * seconds(read, pattern, 250) + 0.05 for _ in range(3)
    )


@pytest.mark.parametrize(("read", "pattern"), CASES, ids=NAMES)
def test_memory(read: Reader, pattern: tuple[str, str]) -> None:
    peaks = []
    for n in (250, 2000):
        tracemalloc.start()
        try:
            seconds(read, pattern, n)
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[1] < 24 * peaks[0] + 1_000_000


def test_words_without_places() -> None:
    """Runs that no word looked at take others' words, each from where it stands."""
    body = "".join(f"<b>w{chr(97 + n % 26)}</b> " for n in range(4000))
    page = read_markup(body)
    words = page.passages[0].split()
    text = " ".join(word.upper() for word in words)
    links = tuple(Link((0, 2), (3 * n, 3 * n + 2), 1.0) for n in range(len(words)))
    started = time.process_time()
    done = page.rendered([Translation(text, 0.0, (), links=links)])
    assert time.process_time() - started < 20
    assert done.count("<b>W") >= 3999


@pytest.mark.parametrize(("read", "pattern"), CASES, ids=NAMES)
def test_pieces_stand_where_they_stand_in_the_text(read: Reader, pattern: tuple[str, str]) -> None:
    for passage in passages_in(read(pattern, 20).parts):
        assert isinstance(passage, Passage)
        layout = Layout(passage.content)
        text = plain(passage.content)
        for piece in layout.pieces:
            assert text[piece.start : piece.start + len(piece.text)] == piece.text

"""Marks that passages begin with: the model never sees them, and they stay to the last space."""

from __future__ import annotations

import pytest

from heedful.documents.allowance import Allowance
from heedful.documents.book import PAGE
from heedful.documents.markup import read_markup
from heedful.documents.open_document import OPEN_DOCUMENT
from heedful.documents.passage import Composed
from heedful.documents.translatable import Hint
from heedful.documents.word import read_word

from .test_markup import backwards, shouted
from .test_open_document import NOTE
from .test_placing import linked
from .test_word import paragraph, run

BREAK = "<w:r><w:br/></w:r>"
BOX = f"<w:r><w:rPr><w:i/></w:rPr><w:pict>{paragraph(run('- a box'))}</w:pict></w:r>"


def changes_only_words(read: Composed, written: str) -> bool:
    done = read.rendered(list(map(shouted, read.passages, read.hints)))
    return done.lower() == written.lower() and done != written


@pytest.mark.parametrize(
    ("markup", "passages"),
    [
        ("<p>- item</p>", ["item"]),
        ("<p>- <b>Hello</b> there</p>", ["Hello there"]),
        ("<p><b>- Hello</b> there</p>", ["Hello there"]),
        ("<p><b>-</b>  <i>Hello</i> there</p>", ["Hello there"]),
        ("<p>-<b>Hello</b> there</p>", ["Hello there"]),
        ("<p>\n  •\n  item one</p>", ["item one"]),
        ("<p> <a id=1></a>–\u00a0Hello <img> there</p>", ["Hello there"]),
        ("<h1>## A <i>heading</i></h1>", ["A heading"]),
        ("<div>&gt; &gt; - A <u>quotation</u></div>", ["A quotation"]),
        ("one<br>- two<br>- three", ["one", "two", "three"]),
        ("<p><b>1.</b> First</p><p><b>2.</b> Second</p>", ["First", "Second"]),
        ("<p>1<i>. </i>First</p>\n<p>- 2.\n<b>Second</b> one</p>", ["First", "Second one"]),
        ('see <img alt="- A picture"> it', ["see it", "A picture"]),
        # No marks.
        ("<p>-5 degrees</p>", ["-5 degrees"]),
        ("<p><b>-</b>5 degrees</p>", ["-5 degrees"]),
        ("<p>12. Hello</p>", ["12. Hello"]),
        ("<p>3. <b>Mai</b></p><p>5. Mai</p>", ["3. Mai", "5. Mai"]),
        ("<p>1. One</p><p>more</p><p>2. Two</p>", ["1. One", "more", "2. Two"]),
        ("<p>well - or <b>- not</b></p>", ["well - or - not"]),
        ("<p>a</p><p>-</p>", ["a", "-"]),
    ],
)
def test_in_pages_and_books(markup: str, passages: list[str]) -> None:
    read = read_markup(markup)
    assert read.passages == passages
    assert changes_only_words(read, markup)
    if "id=" not in markup and "<img>" not in markup:
        assert read_markup(markup, PAGE).passages == passages


@pytest.mark.parametrize(
    ("markup", "pairs", "wanted"),
    [
        ("- a <b>red</b> house", "casa=house roja=red", "- casa <b>roja</b>"),
        ("-  <b>red</b> house", "casa=house roja=red", "-  casa <b>roja</b>"),
        ("<b>- red</b> house", "casa=house roja=red", "<b>- </b>casa <b>roja</b>"),
        ("<i>–</i> <b>red</b>, he said", "sagt=said rot=red,", "<i>–</i> sagt <b>rot</b>"),
        ("• see<sup>1</sup> it", "es=it sehen=see", "• es sehen<sup>1</sup>"),
    ],
)
def test_tags_stay_on_their_words(markup: str, pairs: str, wanted: str) -> None:
    page = read_markup(markup)
    assert page.rendered([linked(page.passages[0], pairs)]) == wanted


def test_a_mark_that_looks_different_parts_no_words() -> None:
    page = read_markup("<p><b>1.</b> One</p><p><b>2.</b> Two</p><p>- <i>all of it</i></p>")
    assert page.hints == [Hint()] * 3


@pytest.mark.parametrize(
    ("body", "passages"),
    [
        (paragraph(run("- "), run("Hello", "<w:b/>"), run(" there")), ["Hello there"]),
        (paragraph(run("•"), "<w:r><w:tab/></w:r>", run("Hello")), ["Hello"]),
        (paragraph(run("  –  Hello")), ["Hello"]),
        (paragraph(run("1.", "<w:b/>"), run(" One")) + paragraph(run("2. Two")), ["One", "Two"]),
        (paragraph(run("To do:"), BREAK, run("- milk"), BREAK, run("and so on"), BREAK, BREAK,
                   run("-", "<w:b/>"), run(" eggs")), ["To do:", "milk and so on", "eggs"]),
        (paragraph(run("1. One"), BREAK, run("2. Two")) + paragraph(run("3. Three")),
         ["One", "Two", "Three"]),
        # A line that goes on, an empty one, a page that begins part no numbers.
        (paragraph(run("1. One"), BREAK, run("goes on")) + paragraph(run("2. Two"), BREAK)
         + paragraph(run("3. Three")) + paragraph(BREAK, run("4. Four")),
         ["One goes on", "Two", "Three", "Four"]),
        (paragraph(BREAK, run("a) One"), BREAK, run("b) Two"), BREAK), ["One", "Two"]),
        # Lines that begin with no marks, and those inside of a link, which may not become two.
        (paragraph(run("One"), BREAK, run("goes on")), ["One goes on"]),
        (paragraph("<w:hyperlink>", run("- One"), BREAK, run("- Two"), "</w:hyperlink>"),
         ["One - Two"]),
        (paragraph(run("-5"), run(" degrees", "<w:b/>")), ["-5 degrees"]),
        (paragraph(run("1. In"), BOX) + paragraph(run("2. Out")), ["In", "a box", "Out"]),
    ],
)  # fmt: skip
def test_in_word(body: str, passages: list[str]) -> None:
    read = read_word(body, Allowance())
    assert read.passages == passages
    assert changes_only_words(read, body)


def test_in_word_breaks_may_stand_in_one_run() -> None:
    """A line that begins with a mark has one of its own then."""
    text = "<w:t{}>{}</w:t>".format
    body = "<w:p><w:r>{}<w:br/>{}<w:cr/>{}</w:r></w:p>".format
    read = read_word(body(text("", "- one"), text("", "goes on"), text("", "- two")), Allowance())
    assert read.passages == ["one goes on", "two"]
    done = read.rendered(list(map(shouted, read.passages, read.hints)))
    space = ' xml:space="preserve"'
    one, two, three = text(space, "- ONE"), text(space, "GOES ON"), text(space, "- TWO")
    assert done == body(one, two + "</w:r><w:r>", three)


def test_in_word_other_words_may_come_first() -> None:
    body = paragraph(run("- "), run("Hello", "<w:b/>"), run(" there"))
    read = read_word(body, Allowance())
    done = read.rendered([backwards("Hello there")])
    assert done == paragraph(run("- "), run("there "), run("Hello", "<w:b/>"))


@pytest.mark.parametrize(
    ("inside", "passages"),
    [
        ("•<text:tab/>Item <text:span>one</text:span>", ["Item one"]),
        ("<text:span>-</text:span><text:s text:c='2'/>Item", ["Item"]),
        ("- One<text:line-break/>- Two", ["One", "Two"]),
        (f"1. A claim{NOTE} here</text:p><text:p>2. More", ["A claim here", "A note.", "More"]),
    ],
)
def test_in_open_documents(inside: str, passages: list[str]) -> None:
    body = f"<office:text><text:p>{inside}</text:p></office:text>"
    read = read_markup(body, OPEN_DOCUMENT)
    assert read.passages == passages
    assert changes_only_words(read, body)

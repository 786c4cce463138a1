"""Texts with tags: what is text is found, all else stays to the letter."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.documents.markup import read_markup
from heedful.documents.translatable import Hint
from heedful.planning import Translation
from heedful.text.links import Link, Span

PLAIN = Hint()


def _words(passage: str, hint: Hint) -> Iterator[Span]:
    """What stays as it is is one."""
    for start, end in hint.kept:
        passage = passage[:start] + passage[start:end].replace(" ", "_") + passage[end:]
    for match in re.finditer(r"\S+", passage):
        yield match.span()


def shouted(passage: str, hint: Hint = PLAIN) -> Translation:
    """A translation whose words stand where they stood."""
    links = [Link(span, span, 1.0) for span in _words(passage, hint)]
    text = passage.upper()
    for start, end in hint.kept:
        text = text[:start] + passage[start:end] + text[end:]
    return Translation(text, 0.0, (), links=tuple(links))


def backwards(passage: str, hint: Hint = PLAIN) -> Translation:
    """A translation whose words stand in the opposite order."""
    text, links = "", []
    for start, end in reversed(list(_words(passage, hint))):
        text += " " * bool(text)
        links.append(Link((start, end), (len(text), len(text) + end - start), 1.0))
        text += passage[start:end]
    return Translation(text, 0.0, (), links=tuple(links))


@pytest.mark.parametrize(
    ("markup", "kept"),
    [
        ("call <code>f(x)</code> now", ["f(x)"]),
        (
            "see <i translate=no>New\n  York</i>, <b class=notranslate>B&amp;B</b>",
            ["New York", "B&B"],
        ),
        ("press <kbd>Ctrl</kbd>+<kbd>Alt</kbd>+<kbd>C</kbd> now", ["Ctrl+Alt+C"]),
        (
            "see <code>os</code>.<code>path</code>, <code>a</code> <code>b</code>",
            ["os.path", "a", "b"],
        ),
        ("<code>a</code>&lt;<code>b</code> <b><var>x</var></b>/<var>y</var>", ["a<b", "x", "y"]),
        (
            "two <code>int</code>s, un<code>x</code>, <b>a</b><code>x</code> <!-- --><var>y</var>z",
            [],
        ),
        ("<code>-&gt;</code> or <code>&lt;br&gt;</code> or <code></code> here", []),
        ("see <code><b>x</b></code> and <code>" + "x" * 61 + "</code>", []),
        ("cafe\u0301: <code>cafe\u0301</code>", []),
        ("here <img alt=x> <input value=y>", []),
    ],
)
def test_what_stays_is_said_if_it_is_a_word(markup: str, kept: list[str]) -> None:
    page = read_markup(markup)
    text, hint = page.passages[0], page.hints[0]
    assert [text[slice(*span)] for span in hint.kept] == kept


@pytest.mark.parametrize(
    ("markup", "passages"),
    [
        ("plain", ["plain"]),
        ("<p>One.</p>\n<p>Two.</p>", ["One.", "Two."]),
        ("<p>One <b>bold</b> word.</p>", ["One bold word."]),
        ("a &amp; b &lt;c&gt; &#233;", ["a & b <c> é"]),
        ("one<br>two<br/>three", ["one", "two", "three"]),
        ("<script>var a = '<p>no</p>';</script><p>yes", ["yes"]),
        ("<pre>x = 1</pre>text", ["text"]),
        ("call <code>f(x)</code> now", ["call f(x) now"]),
        ('keep <span translate="no">Heedful</span> here', ["keep Heedful here"]),
        ("<!-- note --><p>t</p>", ["t"]),
        ("<p>a\n  b</p>", ["a b"]),
        ("", []),
        ("<div></div>", []),
    ],
)
def test_passages(markup: str, passages: list[str]) -> None:
    assert read_markup(markup).passages == passages


@pytest.mark.parametrize(
    ("markup", "wanted"),
    [
        ("<p class='x'>One <b>bold</b> word.</p>", "<p class='x'>ONE <b>BOLD</b> WORD.</p>"),
        (" <p> a &amp; b </p> ", " <p> A &amp; B </p> "),
        ('<a href="x?a=1&amp;b">l <i>m</i></a> n', '<a href="x?a=1&amp;b">L <i>M</i></a> N'),
        ("one<br>two", "ONE<br>TWO"),
        ("see <img src=a.png> it", "SEE <img src=a.png> IT"),
        ("<b>a</b><b>b</b>", "<b>A</b><b>B</b>"),
        ("<p>x<script>p < q</script>y</p>", "<p>X<script>p < q</script>Y</p>"),
        ("<a><div>t</div></a>", "<a><div>T</div></a>"),
        ("<b>never closed", "<b>NEVER CLOSED"),
        ("wrong </i> end", "WRONG </i> END"),
        ("<b><code></b></code>a</b> b", "<b><code></b></code>A</b> B"),
        ("<code><b></code></b>a", "<code><b></code></b>A"),
        ("a <![foo bar]>b<!-- c > d", "A <![foo bar]>B<!-- c > d"),
        ("a &#99999999999999999999; b", "A \ufffd B"),
        ("<b>" * 90 + "a" + "</b>" * 90, "<b>" * 90 + "A" + "</b>" * 90),
    ],
)
def test_tags_stay(markup: str, wanted: str) -> None:
    page = read_markup(markup)
    assert page.rendered(list(map(shouted, page.passages, page.hints))) == wanted


def test_tags_go_where_their_words_go() -> None:
    page = read_markup('A <b>red</b> <a href="u">house</a>!')
    done = page.rendered(list(map(backwards, page.passages, page.hints)))
    assert done == '<a href="u">house</a>! <b>red</b> A'


def test_an_element_is_not_lost_even_if_no_word_is_linked_to_it() -> None:
    page = read_markup("Click <b>here</b> now")
    links = tuple(Link((0, 5), (n, n + 1), 1.0) for n in range(9))
    assert "<b>" in page.rendered([Translation("aa bb cc", 0.0, (), links=links)])


def test_without_links_words_keep_their_order() -> None:
    page = read_markup("one <b>two</b> three")
    assert page.rendered([Translation("uno dos tres", 0.0, ())]) == "uno <b>dos</b> tres"


def test_what_a_model_writes_is_text() -> None:
    page = read_markup("<p>x</p>")
    evil = Translation("<script>alert(1)</script>&", 0.0, ())
    assert page.rendered([evil]) == "<p>&lt;script&gt;alert(1)&lt;/script&gt;&amp;</p>"


PIECES = (
    "<b>",
    "</b>",
    "<p>",
    "</p>",
    "<i>",
    "</i>",
    "a",
    " ",
    "<br>",
    "&lt;",
    "<code>",
    "</code>",
)


@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_every_tag_is_there_again(pieces: list[str]) -> None:
    """As often as before, whatever is wrong with them."""
    markup = "".join(pieces)
    page = read_markup(markup)
    done = page.rendered(list(map(shouted, page.passages, page.hints)))
    for tag in ("<p>", "</p>", "<br>", "<code>"):
        assert done.count(tag) == markup.count(tag)


@pytest.mark.parametrize(
    ("markup", "mixed"),
    [
        ("<p>plain</p><h1>and plain</h1>", [False, False]),
        ("<p><b>all of it</b> </p>", [False]),
        ("<p><img> picture <br>one</p>", [False, False]),
        ("<p>one <b>word</b></p>", [True]),
        ("see <img> it", [True]),
    ],
)
def test_only_parts_of_a_passage_must_be_told_apart(markup: str, mixed: list[bool]) -> None:
    assert [hint.is_mixed for hint in read_markup(markup).hints] == mixed


def test_an_element_with_much_in_its_tag_is_not_written_again_and_again() -> None:
    """It would be, wherever a word of another element comes between."""
    tag = f'<b class="{"x" * 1000}">'
    page = read_markup(f"{tag}{'a ' * 50}</b><i>{'b ' * 50}</i>")
    text = " ".join(["a", "b", "b", "b"] * 50)
    links = [Link((0, 1) if n % 8 == 0 else (100, 101), (n, n + 1), 1.0) for n in range(400)]
    done = page.rendered([Translation(text, 0.0, (), links=tuple(links))])
    assert done.count("<b class") == 1
    assert done.count("<i>") == 1
    assert done.count("a") + done.count("b") >= 200

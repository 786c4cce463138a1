"""Tags are found as browsers find them, and in a time that grows with the text alone."""

from __future__ import annotations

import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.documents.book import CONTENTS, PAGE
from heedful.documents.markup import read_markup
from heedful.documents.open_document import OPEN_DOCUMENT
from heedful.documents.rules import HTML, Rules
from heedful.documents.tags import NOTED, attributes, stays, tokens, unescaped
from heedful.errors import InputError
from heedful.planning import Translation

AWHILE = 20.0  # seconds: what takes longer than in proportion takes minutes or hours


@pytest.mark.parametrize("rules", [HTML, OPEN_DOCUMENT, PAGE, CONTENTS])
def test_what_rules_name_is_noted(rules: Rules) -> None:
    assert {*rules.texts, *rules.languages} <= set(NOTED)


def test_what_is_noted_is_named() -> None:
    named = {*HTML.texts, *HTML.languages, *OPEN_DOCUMENT.languages}
    assert set(NOTED) == named | {"translate", "class", "id", "xml:id"}


def found(text: str) -> list[tuple[str, str, str]]:
    return [(token.kind, token.name, token.raw) for token in tokens(text)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("<a>", [("start", "a", "<a>")]),
        ("<P CLASS=x\n>", [("start", "p", "<P CLASS=x\n>")]),
        ("</a >", [("end", "a", "</a >")]),
        ("<br/>", [("empty", "br", "<br/>")]),
        ("<a b='>' c=\">\">", [("start", "a", "<a b='>' c=\">\">")]),
        ("<a b'>c'>", [("start", "a", "<a b'>"), ("text", "", "c'>")]),
        ("<a b='>c", [("start", "a", "<a b='>"), ("text", "", "c")]),
        ("1 < 2 <3 <", [("text", "", "1 < 2 <3 <")]),
        ("a<b and c", [("text", "", "a<b and c")]),
        ("<a b='<c>' <d", [("other", "", "<a b='<c>' <d")]),
        ("<!-- <b> -->x", [("other", "", "<!-- <b> -->"), ("text", "", "x")]),
        ("<!-->x", [("other", "", "<!-->"), ("text", "", "x")]),
        ("<!-- a > b", [("other", "", "<!-- a > b")]),
        ("<![CDATA[<b>]]>x", [("cdata", "", "<![CDATA[<b>]]>"), ("text", "", "x")]),
        ("<![foo bar]>x", [("other", "", "<![foo bar]>"), ("text", "", "x")]),
        ("<?xml a?>x", [("other", "", "<?xml a?>"), ("text", "", "x")]),
        ("<!DOCTYPE html>x", [("other", "", "<!DOCTYPE html>"), ("text", "", "x")]),
        ("<!DOCTYPE a [<!E '>'>]>x", [("other", "", "<!DOCTYPE a [<!E '>'>]>"), ("text", "", "x")]),
        ("</3>x", [("other", "", "</3>"), ("text", "", "x")]),
        (
            "<script>a<b</scripts></SCRIPT>",
            [("start", "script", "<script>"), ("other", "", "a<b</scripts>"),
             ("end", "script", "</SCRIPT>")],
        ),
        ("<style>b", [("start", "style", "<style>"), ("other", "", "b")]),
        ("", []),
    ],
)  # fmt: skip
def test_tokens(text: str, wanted: list[tuple[str, str, str]]) -> None:
    assert found(text) == wanted


@pytest.mark.parametrize(
    ("tag", "is_so"),
    [
        ('<p translate="no">', True),
        ("<p TRANSLATE=no>", True),
        ("<p class='a notranslate b'>", True),
        ("<p translate=yes>", False),
        ("<p title='translate=no'>", False),
        ("<p class=notranslated>", False),
        ("<p translate=yes translate=no>", False),
    ],
)
def test_what_shall_not_be_translated(tag: str, is_so: bool) -> None:
    assert [stays(token) for token in tokens(tag)] == [is_so]


@given(st.one_of(st.text(), st.text(alphabet=st.sampled_from("abscript <>/&;!-=\"'\n?[]CDAT"))))
def test_tokens_make_up_the_text(text: str) -> None:
    assert "".join(token.raw for token in tokens(text)) == text
    assert all(token.raw for token in tokens(text))


PARTS = ("<!--", "-->", "<![CDATA[", "]]>", "<!doctype", "[", "]", "<?", "<a", " b=", "'", '"', ">",
         "</", "/>", "<script", "</script>", "x", " ", "&#", "<style>")  # fmt: skip


@given(st.lists(st.sampled_from(PARTS)))
def test_tokens_make_up_texts_of_broken_tags(parts: list[str]) -> None:
    text = "".join(parts)
    assert "".join(token.raw for token in tokens(text)) == text


HOSTILE = (
    "<a ", "<a b='", '<a b="', "<a b='\"", "<a b='<c>'", "<a translate='", "<a =", "<a/", "<!--",
    "<!--x--!", "<![", "<![CDATA[", "<![CDATA[>", "<!doctype[", "<!doctype[>", "<?", "</", "<",
    "&", "&#9", "<script>", "<script><!--", "</script", "<b>", "</b>", "<b>x</b>", "<i>x",
    "<code>", "<pre>x", "<p translate=no>x", "<![foo bar]>", "<b>x</i>", " \n", "<img>",
    "<b>x</b>&", "<b>x</b> ", "<b> </b>x", "<img>x ", "<b>1</b>x.",
    "<p><b><li>", "<i alt=x>y</i> ",
)  # fmt: skip


def read_and_written(text: str) -> str:
    page = read_markup(text)
    assert len(page.hints) == len(page.passages)
    return page.rendered([Translation(passage, 0.0, ()) for passage in page.passages])


def seconds(text: str) -> float:
    """Of this process alone."""
    started = time.process_time()
    read_and_written(text)
    return time.process_time() - started


@pytest.mark.parametrize("pattern", HOSTILE)
@pytest.mark.parametrize("around", [("", ""), ("", ">"), ("x<b>", "</b>"), ("<a b='x' ", "'>")])
def test_time_grows_with_the_text_alone(pattern: str, around: tuple[str, str]) -> None:
    """Eight times the text may not take 64 times as long."""
    short, long = (around[0] + pattern * (n // len(pattern)) + around[1] for n in (5000, 40_000))
    assert any(seconds(long) < 24 * seconds(short) + 0.05 for _ in range(3))


@pytest.mark.parametrize("pattern", HOSTILE)
def test_memory_grows_with_the_text_alone(pattern: str) -> None:
    text = f"x<b>{pattern * (10_000 // len(pattern))}</b>"
    tracemalloc.start()
    try:
        done = read_and_written(text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1000 * len(text)
    assert len(done) < 10 * len(text)


@pytest.mark.parametrize("pattern", HOSTILE)
def test_no_large_text_takes_long(pattern: str) -> None:
    text = pattern * (1_000_000 // len(pattern))
    started = time.process_time()
    assert "".join(token.raw for token in tokens(text)) == text
    assert time.process_time() - started < AWHILE


@pytest.mark.parametrize("tag", ["<p {}>", "<p {}translate=no>", "<p class=notranslate {}>"])
def test_a_tag_of_many_attributes_takes_no_more_room_than_it_has(tag: str) -> None:
    text = tag.format("a='b' " * 300_000)
    tracemalloc.start()
    try:
        assert [stays(token) for token in tokens(text)] == ["translate" in tag]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4 * len(text)


def test_tags_may_be_long_but_not_without_end() -> None:
    picture = f"<img src='data:{'A' * 3_000_000}' alt=cat>"
    assert [token.raw for token in tokens(picture)] == [picture]
    with pytest.raises(InputError, match="a tag of over 4,194,304"):
        tokens(f"<p {'a ' * 2_100_000}>")


def test_attributes() -> None:
    tag = """<img src=alt data-alt='x' ALT='a "cat"' title = dog class alt=no>"""
    found = attributes(tag)
    assert {name: one.value for name, one in found.items()} == {
        "alt": 'a "cat"',
        "title": "dog",
        "class": "",
    }
    assert tag[found["alt"].start : found["alt"].end] == """'a "cat"'"""


def test_characters_by_their_numbers() -> None:
    assert unescaped("&eacute;&#233;&#x41;&amp;lt;") == "ééA&lt;"
    assert unescaped(f"&#{'9' * 5000};x&#{'0' * 5000}65;") == "\ufffdxA"

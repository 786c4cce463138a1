"""Tags are found as browsers find them, and in a time that grows with the text alone."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.documents.markup import read_markup
from heedful.documents.tags import check_tags, tokens, unescaped
from heedful.errors import InputError
from heedful.planning import Translation

AWHILE = 20.0  # seconds: what takes longer than in proportion takes minutes or hours


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
        ("<![CDATA[<b>]]>x", [("other", "", "<![CDATA[<b>]]>"), ("text", "", "x")]),
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
    ("tag", "stays"),
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
def test_what_shall_not_be_translated(tag: str, stays: bool) -> None:
    assert [token.stays for token in tokens(tag)] == [stays]


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
)  # fmt: skip


@pytest.mark.parametrize("pattern", HOSTILE)
@pytest.mark.parametrize("around", [("", ""), ("", ">"), ("x<b>", "</b>"), ("<a b='x' ", "'>")])
def test_no_text_takes_long(pattern: str, around: tuple[str, str]) -> None:
    """Read, and put together again."""
    text = around[0] + pattern * (50_000 // len(pattern)) + around[1]
    started = time.perf_counter()
    page = read_markup(text)
    done = page.rendered([Translation(passage, 0.0, ()) for passage in page.passages])
    assert time.perf_counter() - started < AWHILE
    assert len(done) < 10 * len(text)


@pytest.mark.parametrize("pattern", HOSTILE)
def test_no_large_text_takes_long(pattern: str) -> None:
    text = pattern * (1_000_000 // len(pattern))
    started = time.perf_counter()
    assert "".join(token.raw for token in tokens(text)) == text
    assert time.perf_counter() - started < AWHILE


def test_characters_by_their_numbers() -> None:
    assert unescaped("&eacute;&#233;&#x41;&amp;lt;") == "ééA&lt;"
    assert unescaped(f"&#{'9' * 5000};x&#{'0' * 5000}65;") == "\ufffdxA"


def test_too_many_tags_are_told() -> None:
    assert check_tags("<b>x</b>", 2) == 2
    with pytest.raises(InputError, match="3 tags"):
        check_tags("<b><b><b>", 2)

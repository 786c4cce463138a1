"""How text is written into a file."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from heedful.documents.book import PAGE
from heedful.documents.escaping import escape_for
from heedful.documents.markup import read_markup
from heedful.planning import Translation


@pytest.mark.parametrize(
    ("head", "written"),
    [
        ("", "é"),
        ('<?xml version="1.0" encoding="UTF-8"?>', "é"),
        ("<meta charset=utf-8>", "é"),
        ('<?xml version="1.0" encoding="ISO-8859-1"?>', "&#233;"),
        ("<?xml version='1.0' encoding='us-ascii'?>", "&#233;"),
        ("<meta charset=iso-8859-1>", "&#233;"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">', "&#233;"),
        ("<p>encoding=latin1 charset=latin1</p>", "é"),
    ],
)
def test_what_a_file_says_of_its_encoding_stays_true(head: str, written: str) -> None:
    assert escape_for(head)("é") == written
    assert escape_for(head)("<&") == "&lt;&amp;"


def test_a_page_in_another_encoding_is_still_read() -> None:
    for encoding in ("us-ascii", "iso-8859-1"):
        page = f'<?xml version="1.0" encoding="{encoding}"?><p title="x">coffee</p>'
        read = read_markup(page, PAGE)
        done = read.rendered([Translation('"Café"', 0.0, ())] * 2)
        root = ElementTree.fromstring(done.encode())
        assert (root.text, root.get("title")) == ('"Café"', '"Café"')


def test_no_model_can_write_what_no_file_may_hold() -> None:
    read = read_markup("<p>x</p>", PAGE)
    done = read.rendered([Translation("a\x0bb\x00c\ud800d\uffff", 0.0, ())])
    assert done == "<p>a b c d </p>"

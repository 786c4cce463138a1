"""OpenDocument texts: what stands in a paragraph."""

from __future__ import annotations

import pytest

from heedful.documents.markup import read_markup
from heedful.documents.open_document import OPEN_DOCUMENT

from .test_markup import shouted

NOTE = (
    "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p>"
    "</text:note-body></text:note>"
)
BOX = "<draw:frame><draw:text-box><text:p>In a box</text:p></draw:text-box></draw:frame>"


@pytest.mark.parametrize(
    ("inside", "passages"),
    [
        (f"A claim{NOTE} goes on.", ["A claim goes on.", "A note."]),
        (f"Look {BOX}here", ["Look here", "In a box"]),
        (f"<text:span>see{NOTE}</text:span> it", ["see it", "A note."]),
        ("A very <text:bookmark-start/>big<text:bookmark-end/> thing", ["A very big thing"]),
        ("A <text:change-start/>new<text:change-end/> word", ["A new word"]),
        ("See page <text:page-number>3</text:page-number> for more", ["See page for more"]),
        ("On <text:date>1 May</text:date> it is", ["On it is"]),
        ("see <text:bookmark-ref>Chapter</text:bookmark-ref> now", ["see now"]),
        ("a <office:annotation><text:p>no</text:p></office:annotation>b", ["a b"]),
        ("a <draw:frame><office:binary-data>iVBO</office:binary-data></draw:frame>b", ["a b"]),
        ("a <text:script>var x = 1;</text:script> b", ["a b"]),
        ("One line<text:line-break/>two lines", ["One line", "two lines"]),
        ("A <text:span/>word<text:span></text:span> here", ["A word here"]),
        ("A word<text:span>2</text:span> here", ["A word2 here"]),
        ("<text:s text:c='4'/>much  <text:tab/>space", ["much space"]),
        ("From &co; Ltd", ["From Ltd"]),
    ],
)
def test_a_sentence_stays_whole(inside: str, passages: list[str]) -> None:
    body = f"<office:text><text:p>{inside}</text:p></office:text>"
    read = read_markup(body, OPEN_DOCUMENT)
    assert read.passages == passages
    done = read.rendered(list(map(shouted, passages, read.hints)))
    assert done.lower() == body.lower()
    assert done != body


def test_cdata_is_text() -> None:
    read = read_markup("<text:p>a <![CDATA[b & c]]></text:p>", OPEN_DOCUMENT)
    assert read.passages == ["a b & c"]
    assert read.rendered([shouted("a b & c")]) == "<text:p>A B &amp; C</text:p>"


def test_prefixes_are_each_files_own() -> None:
    name = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
    body = f'<x xmlns:t="{name}"><t:p>One <t:span>word</t:span></t:p>no</x>'
    read = read_markup(body, OPEN_DOCUMENT)
    assert read.passages == ["One word"]


def test_boxes_in_boxes_are_read_to_some_depth() -> None:
    body = "<text:p>x</text:p>"
    for n in range(40):
        body = f"<text:p>level {n} <draw:frame>{body}</draw:frame></text:p>"
    read = read_markup(body, OPEN_DOCUMENT)
    assert 5 < len(read.passages) < 41
    assert read.rendered(list(map(shouted, read.passages, read.hints))).lower() == body.lower()

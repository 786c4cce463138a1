"""Where elements end, if somebody says so and if nobody does."""

from __future__ import annotations

import pytest

from heedful.documents.markup import read_markup
from heedful.planning import Translation

from .test_markup import shouted


@pytest.mark.parametrize(
    ("page", "passages"),
    [
        ("<ul><li class=notranslate>A<li>B<li>C</ul><p>more", ["B", "C", "more"]),
        ("<ul><li class=notranslate>A<ul><li>B</ul>C<li>D</ul>", ["D"]),
        ("<p translate=no>A<p>B<div>C</div>", ["B", "C"]),
        ("<p translate=no>A<table><tr><td>B</table>C", ["B", "C"]),
        ("<div><p translate=no>A</div>B", ["B"]),
        ("<table><tr><td translate=no>A<td>B<tr><td>C</table>D", ["B", "C", "D"]),
        ("<table><tr translate=no><td>A<tbody><tr><td>B</table>", ["B"]),
        ("<dl><dt translate=no>A<dd>B<dt>C</dl>", ["B", "C"]),
        ("<select><option translate=no>A<option>B</select>", ["B"]),
        ("<p>a <code>b</p><p>c", ["a b", "c"]),
        ("<li translate=no><b>A<li>B", ["B"]),
        ("<div translate=no>A</p></b>B</div>C", ["C"]),
        ("<span translate=no>A<br>B</span>C", ["C"]),
        ("<div translate=no><p>A</p><img>B", []),
    ],
)
def test_what_is_not_translated_ends(page: str, passages: list[str]) -> None:
    read = read_markup(page)
    assert read.passages == passages
    assert read.rendered(list(map(shouted, passages, read.hints))).lower() == page.lower()


@pytest.mark.parametrize(
    ("page", "passages"),
    [
        ("<img alt='A cat' title=dog>", ["A cat", "dog"]),
        ("see <a title='x &amp; y' href=z>there</a> <img alt=cat>", ["see there", "x & y", "cat"]),
        ("<input placeholder='Name'>", ["Name"]),
        ("<p title='words'>text", ["words", "text"]),
        ("<i class=icon title=Edit></i>now", ["now", "Edit"]),
        ("<img alt='' title=' '>", []),
        ("<img alt=cat translate=no>", []),
        ("<code title=no>x</code>", []),
        ("<pre title=no>x</pre>", []),
    ],
)
def test_attributes_that_people_read(page: str, passages: list[str]) -> None:
    read = read_markup(page)
    assert read.passages == passages
    done = read.rendered(list(map(shouted, passages, read.hints)))
    assert done.replace('"', "'").lower().replace("'", "") == page.replace("'", "").lower()


def test_an_attribute_cannot_be_left() -> None:
    read = read_markup("<img alt=cat src=x>")
    done = read.rendered([Translation("\"'><script>", 0.0, ())])
    assert done == '<img alt="&quot;&#39;&gt;&lt;script&gt;" src=x>'

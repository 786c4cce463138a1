"""What must stand in a translation."""

from __future__ import annotations

import pytest

from heedful.text.wanted import copied, lacking, terms


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It costs 3.50 or 1,200.", ["3.50", "1,200"]),
        ("At 12:30 on 2024-05-01.", ["12:30", "2024-05-01"]),
        ("See https://a.org/b?c=1, or www.x.de.", ["https://a.org/b?c=1", "www.x.de"]),
        ("Write to a.b@c-d.org.", ["a.b@c-d.org"]),
        ("Hello {name}, {{x}} ${y}", ["{name}", "{{x}}", "${y}"]),
        ("%s %(n)d %1$s", ["%s", "%(n)d", "%1$s"]),
        ("a <b>bold</b> word<br/>", ["<b>", "</b>", "<br/>"]),
        ("7 and 7", ["7", "7"]),
        ("B2B, 3rd, x < 3 and y > 2", ["3", "2"]),
        ("100 % of it", ["100"]),
        ("Nothing.", []),
    ],
)  # fmt: skip
def test_what_is_copied(text: str, found: list[str]) -> None:
    assert copied(text) == found


def test_terms_are_whole_words_and_the_longest_wins() -> None:
    glossary = {"light": "Licht", "traffic light": "Ampel", "C++": "C++"}
    assert terms("The traffic light is red.", glossary) == ["Ampel"]
    assert terms("Light and lightning.", glossary) == ["Licht"]
    assert terms("C++ is a language", glossary) == ["C++"]
    assert terms("Lightning.", glossary) == []
    assert terms("Light.", {}) == []


def test_lacking_counts() -> None:
    assert not lacking(["7", "7"], "7 x 7")
    assert lacking(["7", "7"], "7 x 8")
    assert not lacking([], "")

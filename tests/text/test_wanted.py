"""What must stand in a translation."""

from __future__ import annotations

import time

import pytest

from heedful.text.links import Link, Span
from heedful.text.wanted import Glossary, copied, lacking, put_in, without_parts


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
    assert [want.text for want in copied(text)] == found
    assert all(text[slice(*want.source)] == want.text for want in copied(text))


def called(text: str, glossary: dict[str, str]) -> list[str]:
    return [want.text for want in Glossary(glossary).in_text(text)]


def test_terms_are_whole_words_and_the_longest_wins() -> None:
    glossary = {"light": "Licht", "traffic light": "Ampel", "C++": "C++"}
    assert called("The traffic light is red.", glossary) == ["Ampel"]
    assert called("Light and lightning.", glossary) == ["Licht"]
    assert called("C++ is a language", glossary) == ["C++"]
    assert called("Lightning.", glossary) == []
    assert called("Light.", {}) == []
    assert [w.source for w in Glossary(glossary).in_text("A light, a light")] == [(2, 7)]


def test_what_stands_inside_another_is_not_wanted_too() -> None:
    text = "See http://dog.com/7 about 7 dogs"
    glossary = Glossary({"dog": "Hund", "7 dogs": "sieben Hunde"})
    found = without_parts([*copied(text), *glossary.in_text(text)])
    assert [want.text for want in found] == ["http://dog.com/7", "sieben Hunde"]


@pytest.mark.parametrize(
    "text", ["日" * 99_000, "a" * 99_000 + "@", "1." * 9000, "http://," * 9000], ids="abcd"
)
def test_no_text_takes_for_ever(text: str) -> None:
    """A few hundredths of a second; some took half a minute."""
    started = time.process_time()
    copied(text)
    Glossary({"a" * n: "x" for n in range(1, 200)}).in_text(text[:2000])
    lacking(copied("7 8 9"), text)
    assert time.process_time() - started < 5


def test_lacking_counts() -> None:
    sevens = copied("7 and 7")
    assert lacking(sevens, "7 x 7") == []
    assert lacking(sevens, "7 x 8") == [sevens[1]]
    assert lacking(sevens, "17 x 7.") == [sevens[1]]
    gentleman = Glossary({"man": "Herr", "cat": "고양이"}).in_text("man")
    assert lacking(gentleman, "Die Herrschaft") == gentleman
    assert lacking(gentleman, "Der Herr, der") == []
    cat = Glossary({"cat": "고양이"}).in_text("the cat")
    assert lacking(cat, "고양이가") == []  # particles are written onto a word
    assert lacking([], "") == []


@pytest.mark.parametrize(
    ("translation", "links", "outcome"),
    [
        # A word looks at what is missing: it takes that word's place, not that of its marks.
        ("Hallo (Name), da", [((0, 5), (0, 5)), ((6, 12), (6, 13))], "Hallo ({name}), da"),
        # What looks there is no word.
        ("Hallo , da", [((0, 5), (0, 5)), ((6, 12), (6, 7))], "Hallo {name}, da"),
        # None does: behind the one that comes from the word before it, however the order changed.
        ("Da , hallo .", [((0, 5), (5, 10)), ((14, 19), (0, 2))], "Da , hallo {name}."),
        # There is none before it.
        ("da bist du", [((14, 19), (0, 2))], "{name} da bist du"),
        # Nothing is known.
        ("da bist du.", [], "da bist du {name}."),
        ("", [], "{name}"),
    ],
)
def test_what_is_missing_is_put_in(
    translation: str, links: list[tuple[Span, Span]], outcome: str
) -> None:
    source = "Hello {name}, there you are"
    found = [Link(*spans, 1.0) for spans in links]
    text, moved = put_in(copied(source)[0], translation, found)
    assert text == outcome
    by_source = {link.source: link for link in found}
    for new in moved:
        old = by_source[new.source]
        assert text[slice(*new.target)] == translation[slice(*old.target)]
